// Curves and regions of a timeline as rows of tables.
import type { Counter, Tables, TimelineValues } from '../../data/types';
import { visible } from '../../model/format';
import { widthOf, type Range } from '../../parts/range';
import { threadName } from '../flame/threads';
import { valueAt } from './activity';
import type { Row } from './rows';

export interface CurveSum {
  readonly name: string;
  readonly unit: Counter['unit'];
  readonly lowest: number;
  readonly highest: number;
  readonly mean: number; // over time
  readonly last: number;
}

// What a curve was within a range; null: it had not begun.
export function sumCurve(counter: Counter, name: string, range: Range): CurveSum | null {
  const { time, value, unit } = counter;
  const last = valueAt(time, value, range.right);
  if (last === null || !(widthOf(range) > 0)) return null;
  let lowest = Infinity;
  let highest = -Infinity;
  let area = 0;
  let seconds = 0;
  for (let i = 0; i < time.length; ++i) {
    const from = Math.max(range.left, time[i]);
    const to = Math.min(range.right, i + 1 < time.length ? time[i + 1] : range.right);
    if (to < from || time[i] > range.right) continue;
    lowest = Math.min(lowest, value[i]);
    highest = Math.max(highest, value[i]);
    area += value[i] * (to - from);
    seconds += to - from;
  }
  return { name, unit, lowest, highest, mean: seconds > 0 ? area / seconds : last, last };
}

export function sumCurves(values: TimelineValues, rows: readonly Row[], range: Range): CurveSum[] {
  return rows
    .filter((row) => row.kind === 'curve')
    .flatMap((row) => sumCurve(values.counters[row.index], row.name, range) ?? []);
}

// Every point, for a file.
export function curvePoints(values: TimelineValues): (string | number)[][] {
  const points = values.counters.flatMap(({ name, unit, process, time, value }) =>
    Array.from(time, (seconds, i) => [name, process, unit, seconds, value[i]]),
  );
  return [['curve', 'process', 'unit', 'seconds', 'value'], ...points];
}

export interface RegionLine {
  readonly name: string;
  readonly thread: string;
  readonly start: number; // seconds
  readonly duration: number;
}

// Those that are in the range at least in part, in the order of their starts.
export function listRegions(values: TimelineValues, tables: Tables, range: Range): RegionLine[] {
  const { names, name, thread, start, duration } = values.regions;
  const lines: RegionLine[] = [];
  for (let i = 0; i < start.length; ++i) {
    if (start[i] > range.right || start[i] + duration[i] < range.left) continue;
    lines.push({
      name: visible(names[name[i]] ?? ''),
      thread: threadName(tables, thread[i]),
      start: start[i],
      duration: duration[i],
    });
  }
  return lines.sort((a, b) => a.start - b.start);
}
