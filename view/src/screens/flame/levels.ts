// Where the boxes of a picture are. Every level is sorted from left to right, so its boxes are
// found by halving; and the children of neighbours are neighbours.
import type { FrameTree } from '../../model/types';
import type { Range } from '../../parts/range';

export function levelCount(frames: FrameTree): number {
  return Math.max(0, frames.levels.length - 1);
}

// The first of the rows from..to whose value is at least `wanted`.
function firstAtLeast(values: Int32Array, from: number, to: number, wanted: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle] < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

// The first of the rows from..to that reaches beyond x.
export function firstEndingAfter(right: Float64Array, from: number, to: number, x: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (right[middle] <= x) from = middle + 1;
    else to = middle;
  }
  return from;
}

export function levelOf(frames: FrameTree, row: number): number {
  let from = 0;
  let to = levelCount(frames) - 1;
  while (from < to) {
    const middle = (from + to + 1) >>> 1;
    if (frames.levels[middle] <= row) from = middle;
    else to = middle - 1;
  }
  return from;
}

// The rows at or below a frame: those of level firstLevel + i are from[i] up to to[i].
export interface Subtree {
  readonly root: number; // -1: everything
  readonly firstLevel: number;
  readonly depth: number; // levels
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly bounds: Range;
}

function boundsOf(frames: FrameTree, from: number, to: number): Range {
  if (to <= from) return { left: 0, right: 1 };
  const left = frames.left[from];
  const right = frames.right[to - 1];
  return right > left ? { left, right } : { left, right: left + 1 };
}

export function subtreeOf(frames: FrameTree, root: number): Subtree {
  const count = levelCount(frames);
  if (root < 0 || root >= frames.count) {
    return {
      root: -1,
      firstLevel: 0,
      depth: count,
      from: frames.levels.subarray(0, count),
      to: frames.levels.subarray(1),
      bounds: boundsOf(frames, 0, count > 0 ? frames.levels[1] : 0),
    };
  }
  const firstLevel = levelOf(frames, root);
  const from = [root];
  const to = [root + 1];
  for (let level = firstLevel + 1; level < count; ++level) {
    const end = frames.levels[level + 1];
    const first = firstAtLeast(frames.parent, frames.levels[level], end, from[from.length - 1]);
    const last = firstAtLeast(frames.parent, first, end, to[to.length - 1]);
    if (first === last) break;
    from.push(first);
    to.push(last);
  }
  return {
    root,
    firstLevel,
    depth: from.length,
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    bounds: boundsOf(frames, root, root + 1),
  };
}

// The rows of a frame's children, first and beyond the last.
export function childrenOf(frames: FrameTree, row: number): readonly [number, number] {
  const level = levelOf(frames, row) + 1;
  if (level >= levelCount(frames)) return [0, 0];
  const end = frames.levels[level + 1];
  const first = firstAtLeast(frames.parent, frames.levels[level], end, row);
  return [first, firstAtLeast(frames.parent, first, end, row + 1)];
}

// The box at x among the rows from..to; -1: none.
export function boxAt(frames: FrameTree, from: number, to: number, x: number): number {
  const row = firstEndingAfter(frames.right, from, to, x);
  return row < to && frames.left[row] <= x ? row : -1;
}

// Calls `visit` for what is in sight of the rows from..to: a box with its edges in pixels, or one
// box in place of all that share a pixel. So a level costs no more than the picture is wide.
export function visitBoxes(
  frames: FrameTree,
  from: number,
  to: number,
  view: Range,
  width: number,
  visit: (row: number, x0: number, x1: number) => void,
): void {
  const { left, right } = frames;
  const scale = width / (view.right - view.left);
  let row = firstEndingAfter(right, from, to, view.left);
  while (row < to && left[row] < view.right) {
    const x0 = (left[row] - view.left) * scale;
    const x1 = (right[row] - view.left) * scale;
    if (x1 - x0 >= 1) {
      visit(row, x0, x1);
      ++row;
      continue;
    }
    const pixel = Math.max(0, Math.floor(x0));
    visit(row, pixel, pixel + 1);
    row = firstBeyond(right, row + 1, to, view.left + (pixel + 1) / scale);
  }
}

// As firstEndingAfter, quick where the answer is near.
function firstBeyond(right: Float64Array, from: number, to: number, x: number): number {
  let step = 1;
  while (from + step < to && right[from + step] <= x) {
    from += step;
    step *= 2;
  }
  return firstEndingAfter(right, from, Math.min(to, from + step + 1), x);
}

// The frame of a function that costs most; -1: it is not here.
export function heaviestFrame(frames: FrameTree, fn: number | null): number {
  let heaviest = -1;
  for (let row = 0; row < frames.count; ++row) {
    if (frames.function[row] !== fn) continue;
    if (heaviest < 0 || frames.total[row] > frames.total[heaviest]) heaviest = row;
  }
  return heaviest;
}
