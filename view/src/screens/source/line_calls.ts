// From a line to what it calls, and from a function to the lines that call it.
import type { Tables } from '../../data/types';
import type { CallTree } from '../../model/types';

export interface CallSite {
  readonly function: number;
  readonly line: number; // in that function; 0: unknown
  readonly total: number;
}

class Sites {
  private readonly found = new Map<string, { function: number; line: number; total: number }>();

  add(fn: number, line: number, total: number): void {
    const key = `${fn}:${line}`;
    const known = this.found.get(key);
    if (known) known.total += total;
    else this.found.set(key, { function: fn, line, total });
  }

  sorted(): CallSite[] {
    return [...this.found.values()].filter((site) => site.total > 0).sort((a, b) => b.total - a.total);
  }
}

// Functions that run on this line, the one with the largest total first; where none was measured, the last that
// begins above it.
export function functionsAt(tree: CallTree, tables: Tables, file: number, line: number): number[] {
  const { functions } = tables;
  const totals = new Map<number, number>();
  for (let node = 0; node < tree.count; ++node) {
    const fn = tree.function[node];
    if (functions.file[fn] !== file || (tree.line[node] || functions.line[fn]) !== line) continue;
    totals.set(fn, (totals.get(fn) ?? 0) + tree.total[node]);
  }
  if (totals.size > 0) return [...totals].sort(([, a], [, b]) => b - a).map(([fn]) => fn);
  let nearest = -1;
  for (let fn = 0; fn < functions.count; ++fn) {
    if (functions.file[fn] !== file || functions.line[fn] > line || functions.line[fn] === 0) continue;
    if (nearest < 0 || functions.line[fn] > functions.line[nearest]) nearest = fn;
  }
  return nearest < 0 ? [] : [nearest];
}

// What is called from a line; recursion counts once. The line of a site is where the callee begins.
export function callsFromLine(tree: CallTree, tables: Tables, file: number, line: number): CallSite[] {
  const { functions } = tables;
  const sites = new Sites();
  const openUntil = new Map<number, number>();
  for (let node = 0; node < tree.count; ++node) {
    const above = tree.parent[node];
    if (above < 0 || tree.line[above] !== line || functions.file[tree.function[above]] !== file) continue;
    const fn = tree.function[node];
    if (node < (openUntil.get(fn) ?? 0)) continue;
    openUntil.set(fn, tree.end[node]);
    sites.add(fn, functions.line[fn], tree.total[node]);
  }
  return sites.sorted();
}

// The lines that call a function, by what its calls from there took; recursion counts once.
export function callSitesOf(tree: CallTree, fn: number): CallSite[] {
  const sites = new Sites();
  for (let node = 0; node < tree.count;) {
    if (tree.function[node] !== fn) {
      ++node;
      continue;
    }
    const above = tree.parent[node];
    if (above >= 0) sites.add(tree.function[above], tree.line[above], tree.total[node]);
    node = tree.end[node];
  }
  return sites.sorted();
}
