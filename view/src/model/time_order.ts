// One thread from its first sample to its last: what neighbours have in common, from the root down, is
// one box.
import type { TimedSamples } from '../data/decode_answers';
import type { Tables } from '../data/types';
import { mergePaths } from './frames';
import type { CallTree, FrameOptions, FrameTree } from './types';

const MOST_BOXES = 4_000_000;
const NANOSECONDS = 1e-9;
const SMALL_GAP = 0.001; // seconds between neighbours that still touch

export interface TimeFrames extends FrameTree {
  readonly start: number; // seconds: the time at x = 0
  readonly hiddenLevels: number; // deeper ones are left out, because the boxes would be too many
}

// A sample lasts until its end; where that is not known as long as it weighs, at most until the next
// one. `cutoff` has no meaning here.
export function makeTimeOrder(
  tree: CallTree,
  tables: Tables,
  samples: TimedSamples,
  options: FrameOptions,
): TimeFrames {
  const { frames, frameOf } = mergePaths(tree, tables, options);
  const spans = findSpans(samples, frameOf);
  const depth = findDepths(frames.parent);

  // Once to count the boxes of each level, once to write each where it belongs.
  const counts: number[] = [];
  walk(spans, frames.parent, depth, {
    open(_frame, level) {
      counts[level] = (counts[level] ?? 0) + 1;
    },
    add() {},
  });
  const levels = [0];
  for (const count of counts) {
    if (levels.at(-1)! + count > MOST_BOXES) break;
    levels.push(levels.at(-1)! + count);
  }
  const shown = levels.length - 1;
  const boxes = makeBoxes(levels.at(-1)!);
  const next = levels.slice();
  const current: number[] = []; // by level: the box that is open
  walk(spans, frames.parent, depth, {
    open(frame, level, time) {
      if (level >= shown) return;
      const box = next[level]++;
      current[level] = box;
      boxes.parent[box] = level === 0 ? -1 : current[level - 1];
      boxes.function[box] = frames.function[frame];
      boxes.left[box] = boxes.right[box] = time - spans.start;
    },
    add(level, end, weight) {
      const deepest = Math.min(level, shown - 1);
      if (deepest < 0) return;
      boxes.self[current[deepest]] += weight;
      // Boxes above get their end when the walk is done: it is that of their last child, or later.
      boxes.right[current[deepest]] = end - spans.start;
    },
  });
  boxes.total.set(boxes.self);
  for (let box = boxes.parent.length - 1; box >= 0; --box) {
    const parent = boxes.parent[box];
    if (parent < 0) continue;
    boxes.total[parent] += boxes.total[box];
    boxes.right[parent] = Math.max(boxes.right[parent], boxes.right[box]);
  }
  return {
    count: boxes.parent.length,
    ...boxes,
    levels: Uint32Array.from(levels),
    whole: spans.end - spans.start,
    start: spans.start,
    hiddenLevels: counts.length - shown,
  };
}

interface Spans {
  readonly start: number;
  readonly end: number;
  readonly frame: Int32Array; // -1: nothing that is shown
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly weight: Float64Array;
}

function findSpans({ time, end: ends, node, weight }: TimedSamples, frameOf: Int32Array): Spans {
  const count = time.length;
  const frame = new Int32Array(count);
  const from = new Float64Array(count);
  const to = new Float64Array(count);
  let start = Infinity;
  let end = -Infinity;
  for (let i = 0; i < count; ++i) {
    const next = i + 1 < count ? time[i + 1] : Infinity;
    frame[i] = node[i] < frameOf.length ? frameOf[node[i]] : -1;
    from[i] = time[i];
    const lasts = ends ? ends[i] - time[i] : weight[i] * NANOSECONDS;
    to[i] = time[i] + Math.max(0, lasts);
    // Clocks jitter: what ends shortly before the next sample ends with it.
    if (to[i] + SMALL_GAP >= next) to[i] = Math.max(time[i], next);
    start = Math.min(start, from[i]);
    end = Math.max(end, to[i]);
  }
  if (count === 0) start = end = 0;
  return { start, end, frame, from, to, weight };
}

function findDepths(parent: Int32Array): Uint32Array {
  const depth = new Uint32Array(parent.length);
  for (let i = 0; i < parent.length; ++i) depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
  return depth;
}

interface Visitor {
  open(frame: number, level: number, time: number): void;
  add(level: number, end: number, weight: number): void;
}

// Opens the frames of each span that were not open already; a gap in time closes all.
function walk(spans: Spans, parent: Int32Array, depth: Uint32Array, visitor: Visitor): void {
  const open: number[] = []; // by level
  const path: number[] = [];
  let last = -Infinity;
  for (let i = 0; i < spans.frame.length; ++i) {
    if (spans.from[i] > last) open.length = 0;
    last = spans.to[i];
    const frame = spans.frame[i];
    if (frame < 0) {
      open.length = 0;
      continue;
    }
    path.length = 0;
    let up = frame;
    while (up >= 0 && open[depth[up]] !== up) {
      path.push(up);
      up = parent[up];
    }
    open.length = up < 0 ? 0 : depth[up] + 1;
    for (let above = path.pop(); above !== undefined; above = path.pop()) {
      visitor.open(above, open.length, spans.from[i]);
      open.push(above);
    }
    visitor.add(open.length - 1, spans.to[i], spans.weight[i]);
  }
}

function makeBoxes(count: number) {
  return {
    parent: new Int32Array(count),
    function: new Uint32Array(count),
    self: new Float64Array(count),
    total: new Float64Array(count),
    left: new Float64Array(count),
    right: new Float64Array(count),
  };
}
