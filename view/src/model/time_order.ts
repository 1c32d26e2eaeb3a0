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

// A sample tells of the time before it, so samples are in order when their ends are, and one begins no
// earlier than the last one ended.
function findSpans(samples: TimedSamples, frameOf: Int32Array): Spans {
  const count = samples.time.length;
  const ends = samples.end ?? guessEnds(samples);
  const order = inOrder(ends);
  const frame = new Int32Array(count);
  const from = new Float64Array(count);
  const to = new Float64Array(count);
  const weight = new Float64Array(count);
  let start = Infinity;
  let last = -Infinity;
  for (let i = 0; i < count; ++i) {
    const sample = order ? order[i] : i;
    const node = samples.node[sample];
    frame[i] = node < frameOf.length ? frameOf[node] : -1;
    weight[i] = samples.weight[sample];
    const begin = samples.time[sample];
    // Clocks jitter: small gaps are none.
    from[i] = begin <= last + SMALL_GAP ? last : begin;
    to[i] = Math.max(from[i], ends[sample]);
    last = to[i];
    start = Math.min(start, from[i]);
  }
  return count === 0
    ? { start: 0, end: 0, frame, from, to, weight }
    : { start, end: last, frame, from, to, weight };
}

function guessEnds({ time, weight }: TimedSamples): Float64Array {
  return time.map((begin, i) => {
    const next = i + 1 < time.length ? time[i + 1] : Infinity;
    return Math.max(begin, Math.min(next, begin + Math.max(0, weight[i]) * NANOSECONDS));
  });
}

// The rows by their ends; null where they are sorted already, as they should be.
function inOrder(ends: Float64Array): Uint32Array | null {
  let i = 1;
  while (i < ends.length && ends[i - 1] <= ends[i]) ++i;
  if (i >= ends.length) return null;
  return Uint32Array.from(ends.keys()).sort((a, b) => ends[a] - ends[b] || a - b);
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
