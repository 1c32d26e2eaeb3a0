// Colours between the steps of a ramp.
import { formatColour, mix, parseColour } from './colour';

// `share` from 0, the first step, to 1, the last.
export function rampAt(stops: readonly string[], share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  return formatColour(mix(parseColour(stops[low]), parseColour(stops[low + 1]), at - low));
}
