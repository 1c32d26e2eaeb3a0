// Colours between the stops of a ramp.
import { formatColour, mix, parseColour, type Rgb } from './colour';

// `steps` colours from the first stop to the last.
export function makeRamp(stops: readonly string[], steps: number): Rgb[] {
  const colours = stops.map(parseColour);
  return Array.from({ length: steps }, (_, i) => {
    const at = steps > 1 ? (i / (steps - 1)) * (colours.length - 1) : 0;
    const low = Math.min(colours.length - 1, Math.floor(at));
    return mix(colours[low], colours[Math.min(colours.length - 1, low + 1)], at - low);
  });
}

// The colour at a share of the ramp, from 0 to 1.
export function rampAt(stops: readonly string[], share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  return formatColour(mix(parseColour(stops[low]), parseColour(stops[low + 1]), at - low));
}
