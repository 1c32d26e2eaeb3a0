// Where frames stand in a picture: children at the left of their parent's box, the heaviest first, so
// that a parent's own time is free at the right end.
import { addUp, type FrameList } from './frame_list';
import type { FrameTree } from './types';

export interface Layout {
  readonly whole: number; // the width of everything
  readonly cutoff: number; // frames below this share of their parent are left out
  readonly keepEmpty?: boolean; // also frames without a value; they have no width
  readonly depth?: number; // levels at most
}

export interface LaidOut extends FrameTree {
  readonly frame: Uint32Array; // by row: the frame of the list it was made of
}

export function layOut(frames: FrameList, layout: Layout): LaidOut {
  const { count } = frames;
  const totals = addUp(frames);
  const children = sortChildren(frames, totals);

  const frame = new Uint32Array(count); // rows in level order
  const parent = new Int32Array(count);
  const left = new Float64Array(count);
  const levels = [0];
  let placed = 0;
  const placeChildren = (of: number, row: number, from: number, total: number) => {
    let at = from;
    const least = layout.cutoff * total;
    for (let i = children.start[of + 1]; i < children.start[of + 2]; ++i) {
      const child = children.frame[i];
      const width = totals[child];
      // Sorted: what follows is not larger.
      if (width < least || (width <= 0 && !layout.keepEmpty)) break;
      frame[placed] = child;
      parent[placed] = row;
      left[placed] = at;
      at += width;
      ++placed;
    }
  };
  const most = layout.depth ?? Infinity;
  if (most > 0) placeChildren(-1, -1, 0, layout.whole);
  for (let row = 0; row < placed;) {
    levels.push(placed);
    const end = placed;
    if (levels.length - 1 >= most) break;
    for (; row < end; ++row) placeChildren(frame[row], row, left[row], totals[frame[row]]);
  }
  return gather(frames, totals, { frame, parent, left, levels, placed }, layout.whole);
}

interface Placed {
  readonly frame: Uint32Array;
  readonly parent: Int32Array;
  readonly left: Float64Array;
  readonly levels: readonly number[];
  readonly placed: number;
}

function gather(frames: FrameList, totals: Float64Array, at: Placed, whole: number): LaidOut {
  const count = at.placed;
  const functions = new Uint32Array(count);
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const right = new Float64Array(count);
  for (let row = 0; row < count; ++row) {
    const frame = at.frame[row];
    functions[row] = frames.function[frame];
    self[row] = frames.self[frame];
    total[row] = totals[frame];
    right[row] = at.left[row] + totals[frame];
  }
  return {
    count,
    parent: at.parent.subarray(0, count),
    function: functions,
    self,
    total,
    left: at.left.subarray(0, count),
    right,
    levels: Uint32Array.from(at.levels),
    whole,
    frame: at.frame.subarray(0, count),
  };
}

// The children of frame f are `frame[start[f + 1]]` up to `frame[start[f + 2]]`, heaviest first; those
// of -1 are the roots.
function sortChildren({ count, parent }: FrameList, totals: Float64Array) {
  const start = new Uint32Array(count + 2);
  for (let frame = 0; frame < count; ++frame) ++start[parent[frame] + 2];
  for (let i = 1; i < start.length; ++i) start[i] += start[i - 1];
  const next = start.slice(); // next[f + 1]: where the next child of f goes
  const frames = new Uint32Array(count);
  for (let frame = 0; frame < count; ++frame) frames[next[parent[frame] + 1]++] = frame;
  for (let i = 0; i + 1 < start.length; ++i) sortByTotal(frames, start[i], start[i + 1], totals);
  return { start, frame: frames };
}

const FEW = 24;

function sortByTotal(frames: Uint32Array, from: number, to: number, totals: Float64Array): void {
  if (to - from > FEW) {
    frames.subarray(from, to).sort((a, b) => totals[b] - totals[a] || a - b);
    return;
  }
  // Nearly all frames have few children, for which this is several times faster.
  for (let i = from + 1; i < to; ++i) {
    const frame = frames[i];
    const total = totals[frame];
    let at = i;
    for (; at > from && totals[frames[at - 1]] < total; --at) frames[at] = frames[at - 1];
    frames[at] = frame;
  }
}
