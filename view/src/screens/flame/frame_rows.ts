// The boxes that a picture shows, as rows of a table.
import type { Tables } from '../../data/types';
import { nameOf, placeOf } from '../../model/format';
import type { FrameTree } from '../../model/types';
import { widthOf, type Range } from '../../parts/range';
import type { Sorting } from '../../parts/virtual_table';
import { firstEndingAfter, type Subtree } from './levels';

export interface FrameRows {
  readonly rows: Uint32Array;
  readonly narrower: boolean; // some boxes are left out: too narrow, or too many
}

const MOST_ROWS = 20_000;

// Boxes of at least `least` of the view's width, level by level.
export function framesInSight(
  frames: FrameTree,
  shown: Subtree,
  depth: number,
  view: Range,
  least: number,
): FrameRows {
  const rows: number[] = [];
  let narrower = false;
  const narrowest = widthOf(view) * least;
  const levels = Math.min(shown.depth, depth);
  for (let level = 0; level < levels && rows.length < MOST_ROWS; ++level) {
    const before = rows.length;
    let row = firstEndingAfter(frames.right, shown.from[level], shown.to[level], view.left);
    for (; row < shown.to[level] && frames.left[row] < view.right; ++row) {
      if (frames.right[row] - frames.left[row] < narrowest) narrower = true;
      else if (rows.length < MOST_ROWS) rows.push(row);
      else narrower = true;
    }
    if (rows.length === before) break; // what is inside narrow boxes is not wider
  }
  return { rows: Uint32Array.from(rows), narrower: narrower || rows.length >= MOST_ROWS };
}

// Sorted as asked; without that, as drawn.
export function sortFrames(
  rows: Uint32Array,
  frames: FrameTree,
  tables: Tables,
  sorting: Sorting | null,
): Uint32Array {
  if (!sorting) return rows;
  const sorted = rows.slice();
  const text = (of: (tables: Tables, fn: number) => string) => {
    const known = new Map<number, string>();
    for (const row of rows) {
      const fn = frames.function[row];
      if (!known.has(fn)) known.set(fn, of(tables, fn));
    }
    return (a: number, b: number) =>
      (known.get(frames.function[a]) ?? '').localeCompare(known.get(frames.function[b]) ?? '');
  };
  const number = (values: Float64Array) => (a: number, b: number) => values[a] - values[b];
  const compare =
    sorting.column === 'name'
      ? text(nameOf)
      : sorting.column === 'place'
        ? text(placeOf)
        : number(sorting.column === 'self' ? frames.self : frames.total);
  const sign = sorting.isDescending ? -1 : 1;
  return sorted.sort((a, b) => sign * compare(a, b) || a - b);
}
