// Colours of tokens as pictures need them: numbers to mix and pixels to write.
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

// "#rrggbb" or "#rgb", as tokens are after the build has shortened them.
export function parseColour(text: string): Rgb {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return { red: 128, green: 128, blue: 128 };
  const long = digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
  const value = Number.parseInt(long, 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
}

export function formatColour({ red, green, blue }: Rgb): string {
  const two = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  return `#${two(red)}${two(green)}${two(blue)}`;
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const between = (from: number, to: number) => from + (to - from) * share;
  return {
    red: between(a.red, b.red),
    green: between(a.green, b.green),
    blue: between(a.blue, b.blue),
  };
}

// As ImageData holds it where the lowest byte comes first, which is everywhere browsers run.
export function pixelOf({ red, green, blue }: Rgb): number {
  return (0xff000000 | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

// The relative luminance of WCAG.
function luminance({ red, green, blue }: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// The one of the inks that is read best on a colour.
export function inkOn(colour: Rgb, inks: readonly string[]): string {
  return inks.reduce((best, ink) =>
    contrast(parseColour(ink), colour) > contrast(parseColour(best), colour) ? ink : best,
  );
}
