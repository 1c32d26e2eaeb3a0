// Colours between the stops of a ramp.

type Rgb = readonly [number, number, number];

const FALLBACK: Rgb = [128, 128, 128];

// "#d7301f" as numbers; grey for anything else.
export function parseColour(text: string): Rgb {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  return match ? [parseInt(match[1], 16), parseInt(match[2], 16), parseInt(match[3], 16)] : FALLBACK;
}

export function formatColour([red, green, blue]: Rgb): string {
  const hex = (part: number) => Math.round(part).toString(16).padStart(2, '0');
  return `#${hex(red)}${hex(green)}${hex(blue)}`;
}

// `steps` colours from the first stop to the last.
export function makeRamp(stops: readonly string[], steps: number): Rgb[] {
  const colours = stops.map(parseColour);
  const ramp: Rgb[] = [];
  for (let i = 0; i < steps; ++i) {
    const at = steps > 1 ? (i / (steps - 1)) * (colours.length - 1) : 0;
    const low = Math.min(colours.length - 1, Math.floor(at));
    const high = Math.min(colours.length - 1, low + 1);
    const mix = (part: 0 | 1 | 2) =>
      colours[low][part] + (colours[high][part] - colours[low][part]) * (at - low);
    ramp.push([Math.round(mix(0)), Math.round(mix(1)), Math.round(mix(2))]);
  }
  return ramp;
}

// A colour as a pixel of ImageData, on the little-endian machines that browsers run on.
export function pixelOf([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
