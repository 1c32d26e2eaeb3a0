// Call paths read from the end: who called what was running, and who called that. All of them would be
// far more than there are nodes, so small ones are left out level by level.
import type { FrameList } from './frame_list';
import { PairTable } from './pair_table';

const MOST_FRAMES = 200_000;
const MOST_STEPS = 20_000_000; // a third of a second; paths as long as there are nodes would take their square

export interface Paths {
  readonly parent: Int32Array;
  readonly function: Uint32Array;
}

export interface CallerLimits {
  readonly least: number; // frames below this value are left out
  readonly depth?: number; // levels at most
}

// `ends`: the nodes where paths end, with what each is worth. A frame's own value is that of the paths
// that go no further, or no further than is shown.
export function mergeCallers(
  paths: Paths,
  ends: Uint32Array,
  worth: Float64Array,
  limits: CallerLimits,
): FrameList {
  const parent: number[] = [];
  const functions: number[] = [];
  const totals: number[] = [];
  // The paths that are still followed: the node they have reached, the frame below it, their worth.
  let open = ends.length;
  const node = Int32Array.from(ends);
  const below = new Int32Array(open).fill(-1);
  const value = worth.slice();
  const groupOf = new Uint32Array(open);

  for (let level = 0, steps = 0; open > 0 && level < (limits.depth ?? Infinity); ++level) {
    steps += open;
    if (steps > MOST_STEPS) break;
    const groups = new PairTable();
    const sums: number[] = [];
    for (let i = 0; i < open; ++i) {
      const group = groups.put(below[i] + 1, paths.function[node[i]]);
      groupOf[i] = group;
      sums[group] = (sums[group] ?? 0) + value[i];
    }
    const frameOf = sums.map((sum, group) => {
      if (sum <= 0 || sum < limits.least || totals.length >= MOST_FRAMES) return -1;
      parent.push(groups.first[group] - 1);
      functions.push(groups.second[group]);
      return totals.push(sum) - 1;
    });
    let kept = 0; // never ahead of what is read
    for (let i = 0; i < open; ++i) {
      const frame = frameOf[groupOf[i]];
      const above = paths.parent[node[i]];
      if (frame < 0 || above < 0) continue;
      node[kept] = above;
      below[kept] = frame;
      value[kept] = value[i];
      ++kept;
    }
    open = kept;
  }

  const self = Float64Array.from(totals);
  for (let frame = 0; frame < totals.length; ++frame) {
    if (parent[frame] >= 0) self[parent[frame]] -= totals[frame];
  }
  return {
    count: totals.length,
    parent: Int32Array.from(parent),
    function: Uint32Array.from(functions),
    self: self.map((value) => Math.max(0, value)), // rounding
  };
}
