// How hot each cell of the heatmap is, and which ranks get a number above them.
export type HeatScale = 'row' | 'all';

// Few enough that neighbours of one colour make one box in an SVG, too many to be seen as steps.
export const HEAT_STEPS = 32;

// 0: nothing at all; 1 to HEAT_STEPS: a share of the row's largest value, or of the largest of all.
export function heatSteps(values: Float64Array, columns: number, scale: HeatScale): Uint8Array {
  const steps = new Uint8Array(values.length);
  const largestIn = (from: number, to: number) => {
    let largest = 0;
    for (let i = from; i < to; ++i) if (values[i] > largest) largest = values[i];
    return largest;
  };
  const largestOfAll = scale === 'all' ? largestIn(0, values.length) : 0;
  for (let from = 0; columns > 0 && from < values.length; from += columns) {
    const largest = scale === 'all' ? largestOfAll : largestIn(from, from + columns);
    for (let i = from; i < from + columns; ++i) {
      if (values[i] > 0) steps[i] = Math.max(1, Math.round((values[i] / largest) * HEAT_STEPS));
    }
  }
  return steps;
}

export interface Tick {
  readonly at: number; // from 0 at the left to 1
  readonly text: string;
}

const TICK_WIDTH = 44; // pixels that a number needs

// Numbers above ranks (or groups of them), at multiples of a power of two: as ranks are usually counted.
export function makeTicks(count: number, width: number, nameOf: (place: number) => string): Tick[] {
  if (count === 0 || !(width > 0)) return [];
  let step = 1;
  while ((width / count) * step < TICK_WIDTH) step *= 2;
  const ticks: Tick[] = [];
  for (let place = 0; place < count; place += step) {
    const at = place / count;
    if (width * (1 - at) >= TICK_WIDTH) ticks.push({ at, text: nameOf(place) });
  }
  return ticks;
}
