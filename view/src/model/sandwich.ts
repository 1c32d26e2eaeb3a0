// One function between those that call it and those that it calls.
import type { Tables } from '../data/types';
import { mergeCallers } from './callers';
import { layOut } from './frame_layout';
import { EVERY_FRAME, mergePaths } from './frames';
import type { CallTree, FrameTree } from './types';

export interface Neighbour {
  readonly function: number;
  readonly total: number;
  readonly self: number;
}

// The function at the root level, its callers below; they add up to its total.
export function makeCallers(tree: CallTree, _tables: Tables, fn: number, depth: number): FrameTree {
  const ends = outermost(tree, fn);
  const worth = Float64Array.from(ends, (node) => Math.max(0, tree.total[node]));
  const frames = mergeCallers(tree, ends, worth, { least: 0, depth });
  return layOut(frames, { whole: worth.reduce((sum, value) => sum + value, 0), cutoff: 0 });
}

// The function at the root level, what it calls below.
export function makeCallees(tree: CallTree, tables: Tables, fn: number, depth: number): FrameTree {
  const { frames, whole } = mergePaths(tree, tables, { ...EVERY_FRAME, root: fn });
  return layOut(frames, { whole, cutoff: 0, depth });
}

// Direct callers, by what `fn` cost when they called it. Calls of itself are part of the outer call.
export function callersOf(tree: CallTree, fn: number): Neighbour[] {
  const callers = new Neighbours();
  let caller = -1;
  let until = 0;
  for (let node = 0; node < tree.count; ++node) {
    if (tree.function[node] !== fn) continue;
    if (node >= until) {
      until = tree.end[node];
      const above = tree.parent[node];
      caller = above < 0 ? -1 : tree.function[above];
      if (caller >= 0) callers.add(caller, tree.total[node], 0);
    }
    if (caller >= 0) callers.add(caller, 0, tree.self[node]);
  }
  return callers.sorted();
}

// What `fn` calls directly, by what that cost.
export function calleesOf(tree: CallTree, fn: number): Neighbour[] {
  const callees = new Neighbours();
  const openUntil = new Map<number, number>(); // by callee
  for (let node = 0; node < tree.count; ++node) {
    const above = tree.parent[node];
    if (above < 0 || tree.function[above] !== fn) continue;
    const callee = tree.function[node];
    const isInner = node < (openUntil.get(callee) ?? 0);
    if (!isInner) openUntil.set(callee, tree.end[node]);
    callees.add(callee, isInner ? 0 : tree.total[node], tree.self[node]);
  }
  return callees.sorted();
}

class Neighbours {
  private readonly byFunction = new Map<number, { function: number; total: number; self: number }>();

  add(fn: number, total: number, self: number): void {
    let known = this.byFunction.get(fn);
    if (!known) this.byFunction.set(fn, (known = { function: fn, total: 0, self: 0 }));
    known.total += total;
    known.self += self;
  }

  // Heaviest first, without those that have no value.
  sorted(): Neighbour[] {
    return [...this.byFunction.values()]
      .filter((each) => each.total !== 0 || each.self !== 0)
      .sort((a, b) => b.total - a.total || b.self - a.self || a.function - b.function);
  }
}

function outermost(tree: CallTree, fn: number): Uint32Array {
  const found = [];
  for (let node = 0; node < tree.count;) {
    if (tree.function[node] === fn) {
      found.push(node);
      node = tree.end[node];
    } else {
      ++node;
    }
  }
  return Uint32Array.from(found);
}
