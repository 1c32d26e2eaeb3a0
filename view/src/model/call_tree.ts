// The recorded call paths with the values of one metric in one scope.
import type { Tables } from '../data/types';
import type { CallTree } from './types';

export function makeCallTree(tables: Tables, self: Float64Array): CallTree {
  const { count, parent, function: functions, line } = tables.nodes;
  if (self.length !== count) throw new Error('These values belong to another profile.');
  return withValues({ count, parent, function: functions, line, end: findEnds(parent) }, finite(self));
}

// The same paths with other values.
export function withValues(
  paths: Pick<CallTree, 'count' | 'parent' | 'function' | 'line' | 'end'>,
  self: Float64Array,
): CallTree {
  const { count, parent } = paths;
  const total = self.slice();
  let whole = 0;
  for (let i = count - 1; i >= 0; --i) {
    if (parent[i] >= 0) total[parent[i]] += total[i];
    else whole += total[i];
  }
  return { ...paths, self, total, whole };
}

// The row after each subtree: rows are in pre-order, so children hand their end to their parent.
function findEnds(parent: Int32Array): Uint32Array {
  const end = new Uint32Array(parent.length);
  for (let i = parent.length - 1; i >= 0; --i) {
    if (end[i] === 0) end[i] = i + 1;
    const above = parent[i];
    if (above >= 0 && end[above] < end[i]) end[above] = end[i];
  }
  return end;
}

// A damaged file may hold any bits; one NaN would spread to the root.
function finite(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; ++i) {
    if (!Number.isFinite(values[i])) return values.map((value) => (Number.isFinite(value) ? value : 0));
  }
  return values;
}
