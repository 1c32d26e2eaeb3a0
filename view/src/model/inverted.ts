// A flame graph from the leaves up: what was running at the root level, its callers below.
import type { Tables } from '../data/types';
import { mergeCallers } from './callers';
import { layOut } from './frame_layout';
import { mergePaths } from './frames';
import type { CallTree, FrameOptions, FrameTree } from './types';

export interface InvertedOptions extends FrameOptions {
  readonly minimumShare: number; // of the whole; smaller frames are left out
}

export function makeInverted(tree: CallTree, tables: Tables, options: InvertedOptions): FrameTree {
  const { frames, whole } = mergePaths(tree, tables, options);
  let count = 0;
  const ends = new Uint32Array(frames.count);
  for (let frame = 0; frame < frames.count; ++frame) {
    if (frames.self[frame] > 0) ends[count++] = frame;
  }
  const leaves = ends.subarray(0, count);
  const worth = Float64Array.from(leaves, (frame) => frames.self[frame]);
  const inverted = mergeCallers(frames, leaves, worth, { least: options.minimumShare * whole });
  return layOut(inverted, { whole, cutoff: options.cutoff });
}
