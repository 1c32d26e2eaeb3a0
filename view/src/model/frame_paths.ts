// Frames as call paths again, so that what was folded or hidden counts in tables as in pictures.
import type { CallTree, FrameTree } from './types';

// Frames come level by level; call paths are in pre-order. Lines are not known any more.
export function pathsOfFrames(frames: FrameTree): CallTree {
  const { count } = frames;
  const size = new Uint32Array(count).fill(1);
  for (let row = count - 1; row >= 0; --row) {
    if (frames.parent[row] >= 0) size[frames.parent[row]] += size[row];
  }
  const place = new Uint32Array(count); // of a frame among the paths
  const next = new Uint32Array(count); // where its next child goes
  const parent = new Int32Array(count);
  const functions = new Uint32Array(count);
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const end = new Uint32Array(count);
  let nextRoot = 0;
  for (let row = 0; row < count; ++row) {
    const above = frames.parent[row];
    const at = above < 0 ? nextRoot : next[above];
    if (above < 0) nextRoot += size[row];
    else next[above] += size[row];
    place[row] = at;
    next[row] = at + 1;
    parent[at] = above < 0 ? -1 : place[above];
    functions[at] = frames.function[row];
    self[at] = frames.self[row];
    total[at] = frames.total[row];
    end[at] = at + size[row];
  }
  return {
    count,
    parent,
    function: functions,
    line: new Uint32Array(count),
    self,
    total,
    end,
    whole: frames.whole,
  };
}
