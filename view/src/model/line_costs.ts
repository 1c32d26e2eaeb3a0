// Functions and hot lines of profiles that know nothing but lines (line_profiler's).
import type { LineValues, Tables } from '../data/types';
import type { FunctionColumns } from './functions';
import type { HotLine } from './lines';

export type LineMetric = 'hits' | 'time';

// A line's own value: without what it calls, where that was told apart.
function ownValues(lines: LineValues, by: LineMetric): Float64Array {
  if (by === 'hits') return lines.hits;
  return lines.self.some((value) => value > 0) ? lines.self : lines.time;
}

// What the lines of each function add up to.
export function functionsOfLines(lines: LineValues, by: LineMetric): FunctionColumns {
  const own = ownValues(lines, by);
  const all = by === 'hits' ? lines.hits : lines.time;
  const sums = new Map<number, { self: number; total: number }>();
  lines.function.forEach((fn, row) => {
    const known = sums.get(fn) ?? { self: 0, total: 0 };
    known.self += own[row];
    known.total += all[row];
    sums.set(fn, known);
  });
  const rows = [...sums].filter(([, { total }]) => total > 0).sort(([a], [b]) => a - b);
  return {
    function: Uint32Array.from(rows, ([fn]) => fn),
    self: Float64Array.from(rows, ([, { self }]) => self),
    total: Float64Array.from(rows, ([, { total }]) => total),
  };
}

export function hottestOfLines(lines: LineValues, tables: Tables, by: LineMetric, most: number): HotLine[] {
  const own = ownValues(lines, by);
  return Array.from(lines.line.keys())
    .filter((row) => own[row] > 0)
    .sort((a, b) => own[b] - own[a] || a - b)
    .slice(0, most)
    .map((row) => ({
      function: lines.function[row],
      file: tables.functions.file[lines.function[row]],
      line: lines.line[row],
      self: own[row],
      total: by === 'hits' ? lines.hits[row] : lines.time[row],
    }));
}
