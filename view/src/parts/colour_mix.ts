// Colours between the steps of the heat ramp, and text that can be read on them.

type Rgb = readonly [number, number, number];

export function parseColour(text: string): Rgb {
  const match = /^#([0-9a-f]{6})$/i.exec(text.trim());
  const value = match ? parseInt(match[1], 16) : 0x808080;
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function mix(stops: readonly string[], share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [parseColour(stops[low]), parseColour(stops[low + 1])];
  const channels = from.map((value, i) => Math.round(value + (to[i] - value) * (at - low)));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

// Relative luminance, as WCAG defines it.
export function luminance(colour: string): number {
  const [red, green, blue] = parseColour(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// Pure black and white: one of them has a contrast of 4.5 on every colour.
export const DARK_INK = '#000000';
export const LIGHT_INK = '#ffffff';

export function inkOn(colour: string): string {
  return contrast(colour, DARK_INK) >= contrast(colour, LIGHT_INK) ? DARK_INK : LIGHT_INK;
}
