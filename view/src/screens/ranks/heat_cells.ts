// How hot each cell of the heatmap is, and which columns get a number above them.
import type { Columns } from './rank_order';

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
  readonly column: number;
  readonly text: string;
}

const TICK_WIDTH = 40; // pixels that a number needs

// Numbers above columns, at multiples of a power of two: as ranks are usually counted.
export function makeTicks(columns: Columns, width: number, nameOf: (column: number) => string): Tick[] {
  if (columns.count === 0) return [];
  let step = 1;
  while ((width / columns.count) * step < TICK_WIDTH) step *= 2;
  const ticks: Tick[] = [];
  for (let column = 0; column < columns.count; column += step) ticks.push({ column, text: nameOf(column) });
  return ticks;
}
