// What each function cost, itself and with everything that it called.
import { NONE, type Tables } from '../data/types';
import { nameOf, visible } from './format';
import type { CallTree } from './types';

export interface FunctionColumns {
  readonly function: Uint32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  // The paths that the rows were made of, where they are known: totals of groups need them.
  readonly tree?: CallTree;
}

export type Grouping = 'function' | 'file' | 'module';

export interface GroupColumns {
  readonly key: Uint32Array; // a function, a file (NONE: without one) or the text of a module
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly members: Uint32Array; // functions in the group
}

// Functions that have a value. Recursion counts once, so that no total is above the whole.
export function makeFunctionRows(tree: CallTree): FunctionColumns {
  const byFunction = costsBy(tree, tree.function, 1 + largest(tree.function));
  const rows = [];
  for (let fn = 0; fn < byFunction.self.length; ++fn) {
    if (byFunction.self[fn] !== 0 || byFunction.total[fn] !== 0) rows.push(fn);
  }
  return {
    function: Uint32Array.from(rows),
    self: Float64Array.from(rows, (fn) => byFunction.self[fn]),
    total: Float64Array.from(rows, (fn) => byFunction.total[fn]),
    tree,
  };
}

// Functions put together. A total counts where a path enters the group; without paths it is at least
// the largest of its functions' and at least their own time, which is as much as can be said.
export function groupRows(rows: FunctionColumns, tables: Tables, by: Grouping): GroupColumns {
  const { count, file, module } = tables.functions;
  const keyOf = (fn: number) => (by === 'function' ? fn : by === 'file' ? file[fn] : module[fn]);

  const groupOfKey = new Map<number, number>();
  const key: number[] = [];
  const groupOf = new Uint32Array(count);
  const groupFor = (fn: number) => {
    let group = groupOfKey.get(keyOf(fn));
    if (group === undefined) {
      group = key.push(keyOf(fn)) - 1;
      groupOfKey.set(keyOf(fn), group);
    }
    return group;
  };
  for (const fn of rows.function) groupOf[fn] = groupFor(fn);

  const members = new Uint32Array(key.length);
  const self = new Float64Array(key.length);
  const total = new Float64Array(key.length);
  for (let row = 0; row < rows.function.length; ++row) {
    const group = groupOf[rows.function[row]];
    ++members[group];
    self[group] += rows.self[row];
    total[group] = Math.max(total[group], rows.total[row], self[group]);
  }
  if (!rows.tree || by === 'function') return { key: Uint32Array.from(key), self, total, members };

  // Functions without a row have groups too, behind the others: paths go through them.
  const withRow = new Uint8Array(count);
  for (const fn of rows.function) withRow[fn] = 1;
  for (let fn = 0; fn < count; ++fn) if (withRow[fn] === 0) groupOf[fn] = groupFor(fn);
  const { tree } = rows;
  const groupOfNode = new Uint32Array(tree.count);
  for (let node = 0; node < tree.count; ++node) groupOfNode[node] = groupOf[tree.function[node]];
  const exact = costsBy(tree, groupOfNode, key.length);
  const shown = members.length;
  return { key: Uint32Array.from(key.slice(0, shown)), self, total: exact.total.slice(0, shown), members };
}

// How a group is called; "" where nothing has a name.
export function groupName(tables: Tables, by: Grouping, key: number): string {
  if (by === 'function') return nameOf(tables, key);
  if (by === 'module') return visible(tables.texts.get(key));
  return key === NONE ? '' : visible(tables.texts.get(tables.files.name[key]));
}

// Sums by what each node belongs to: `total` takes a node only where no node of the same kind is above it.
export function costsBy(
  tree: CallTree,
  kindOf: Uint32Array,
  kinds: number,
): { self: Float64Array; total: Float64Array } {
  const self = new Float64Array(kinds);
  const total = new Float64Array(kinds);
  const openUntil = new Uint32Array(kinds);
  for (let node = 0; node < tree.count; ++node) {
    const kind = kindOf[node];
    self[kind] += tree.self[node];
    if (node < openUntil[kind]) continue;
    openUntil[kind] = tree.end[node];
    total[kind] += tree.total[node];
  }
  return { self, total };
}

function largest(values: Uint32Array): number {
  let most = -1;
  for (const value of values) if (value > most) most = value;
  return most;
}
