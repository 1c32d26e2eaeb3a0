// Colours between the stops of a ramp.
import { mix, parseColour, type Rgb } from './colour';

// `steps` colours from the first stop to the last.
export function makeRamp(stops: readonly string[], steps: number): Rgb[] {
  const colours = stops.map(parseColour);
  return Array.from({ length: steps }, (_, i) => {
    const at = steps > 1 ? (i / (steps - 1)) * (colours.length - 1) : 0;
    const low = Math.min(colours.length - 1, Math.floor(at));
    return mix(colours[low], colours[Math.min(colours.length - 1, low + 1)], at - low);
  });
}
