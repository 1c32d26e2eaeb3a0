// What `pyrometer scale --json` says (docs/scale.schema.json), checked.
import type { Unit } from '../../data/types';
import {
  listIn,
  numberIn,
  objectOf,
  optionalNumberIn,
  optionalTextIn,
  textIn,
  unitIn,
  type JsonObject,
} from '../../data/json_values';
import { placeText } from '../../parts/place_text';

export interface ScalingPoint {
  readonly time: number;
  readonly hits: number;
  readonly speedup: number | null;
  readonly efficiency: number | null;
  readonly serialFraction: number | null;
  readonly loss: number | null;
}

export interface ScalingRow {
  readonly name: string;
  readonly place: string; // "stage.py:11"
  readonly source: string; // of lines
  readonly points: readonly (ScalingPoint | null)[]; // as many as counts
}

export interface Scaling {
  readonly unit: Unit;
  readonly counts: readonly number[];
  readonly reference: number;
  readonly isSlowestRank: boolean; // times are those of the slowest rank, else sums
  readonly total: ScalingRow;
  readonly noModel: string; // why there is none
  readonly largestForetold: number; // by the model; 0: there is none
  readonly fastestCount: number | null; // foretold
  readonly rows: readonly ScalingRow[];
}

function readPoint(value: unknown): ScalingPoint | null {
  if (value === null) return null;
  const point = objectOf(value, 'a point');
  return {
    time: numberIn(point, 'time'),
    hits: numberIn(point, 'hits'),
    speedup: optionalNumberIn(point, 'speedup'),
    efficiency: optionalNumberIn(point, 'efficiency'),
    serialFraction: optionalNumberIn(point, 'serial_fraction'),
    loss: optionalNumberIn(point, 'loss'),
  };
}

function readPoints(from: JsonObject, counts: number): (ScalingPoint | null)[] {
  const points = listIn(from, 'points').map(readPoint);
  if (points.length !== counts) throw new Error('The answer is damaged: a row has not one point per count.');
  return points;
}

export function readScaling(json: unknown): Scaling {
  const from = objectOf(json, 'the study');
  const counts = listIn(from, 'counts').map((count) => {
    if (typeof count !== 'number' || !(count >= 1))
      throw new Error('The answer is damaged: a count is none.');
    return count;
  });
  if (counts.length < 2) throw new Error('One count of processes alone does not tell how a program scales.');
  const total = objectOf(from['total'], 'the total');
  const model = total['model'] === null ? null : objectOf(total['model'], 'the model');
  return {
    unit: unitIn(from),
    counts,
    reference: numberIn(from, 'reference'),
    isSlowestRank: textIn(from, 'time') === 'max',
    total: { name: 'the whole', place: '', source: '', points: readPoints(total, counts.length) },
    noModel: optionalTextIn(total, 'no_model'),
    largestForetold: model ? numberIn(model, 'largest_count') : 0,
    fastestCount: model ? optionalNumberIn(model, 'fastest_count') : null,
    rows: listIn(from, 'rows').map((value) => {
      const row = objectOf(value, 'a row');
      const line = optionalNumberIn(row, 'line') ?? numberIn(row, 'first_line');
      return {
        name: textIn(row, 'name'),
        place: placeText(textIn(row, 'file'), line),
        source: optionalTextIn(row, 'source').trim(),
        points: readPoints(row, counts.length),
      };
    }),
  };
}

export type ScalingField = 'speedup' | 'efficiency';

// A figure over the counts; NaN where it is not known.
export function fieldOf(row: ScalingRow, field: ScalingField): Float64Array {
  return Float64Array.from(row.points, (point) => point?.[field] ?? Number.NaN);
}

// Rows by what they lose at the largest count; those without a loss come last.
export function byLoss(rows: readonly ScalingRow[]): ScalingRow[] {
  const loss = (row: ScalingRow) => row.points.at(-1)?.loss ?? -Infinity;
  return rows.toSorted((a, b) => loss(b) - loss(a));
}
