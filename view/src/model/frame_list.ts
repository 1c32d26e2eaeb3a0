// Frames before they are laid out: what merging call paths gives. A parent has a smaller row.
import { PairTable } from './pair_table';

export interface FrameList {
  readonly count: number;
  readonly parent: Int32Array; // -1: a root
  readonly function: Uint32Array;
  readonly self: Float64Array;
}

// Frames by (parent, function); each is there once.
export class FrameFinder {
  private readonly table: PairTable;

  constructor(expected = 0) {
    this.table = new PairTable(expected, true);
  }

  get count(): number {
    return this.table.count;
  }

  // The frame of `fn` called by `parent`, -1 for none; made when it is not there.
  find(parent: number, fn: number): number {
    return this.table.put(parent + 1, fn);
  }

  // `self`: at least one value per frame.
  finish(self: Float64Array): FrameList {
    const { count, first, second } = this.table;
    const parent = new Int32Array(count);
    for (let frame = 0; frame < count; ++frame) parent[frame] = first[frame] - 1;
    return { count, parent, function: second.subarray(0, count), self: self.subarray(0, count) };
  }
}

// Self and all below, by frame.
export function addUp({ count, parent, self }: FrameList): Float64Array {
  const total = self.slice(0, count);
  for (let frame = count - 1; frame >= 0; --frame) {
    if (parent[frame] >= 0) total[parent[frame]] += total[frame];
  }
  return total;
}
