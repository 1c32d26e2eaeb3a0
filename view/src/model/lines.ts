// What each line cost, itself and with everything that it called; recursion counts once.
import { NONE, type Tables } from '../data/types';
import { costsBy } from './functions';
import { PairTable } from './pair_table';
import type { CallTree } from './types';

export interface LineColumns {
  readonly line: Uint32Array; // ascending
  readonly self: Float64Array;
  readonly total: Float64Array;
}

export interface HotLine {
  readonly function: number;
  readonly file: number;
  readonly line: number;
  readonly self: number;
  readonly total: number;
}

export function makeFileLines(tree: CallTree, tables: Tables, file: number): LineColumns {
  return makeLines(tree, tables, (fn) => tables.functions.file[fn] === file);
}

export function makeFunctionLines(tree: CallTree, tables: Tables, fn: number): LineColumns {
  return makeLines(tree, tables, (each) => each === fn);
}

// Where the position's line is not known, it counts for the line where its function begins.
function lineOf(tree: CallTree, tables: Tables, node: number): number {
  return tree.line[node] || tables.functions.line[tree.function[node]];
}

function makeLines(tree: CallTree, tables: Tables, isWanted: (fn: number) => boolean): LineColumns {
  const wanted = Uint8Array.from({ length: tables.functions.count }, (_, fn) => (isWanted(fn) ? 1 : 0));
  const rows = new PairTable();
  rows.put(NONE, 0); // row 0: everything else
  const rowOf = new Uint32Array(tree.count);
  for (let node = 0; node < tree.count; ++node) {
    if (wanted[tree.function[node]] === 0) continue;
    const line = lineOf(tree, tables, node);
    if (line > 0) rowOf[node] = rows.put(0, line);
  }
  const { self, total } = costsBy(tree, rowOf, rows.count);
  const shown = [];
  for (let row = 1; row < rows.count; ++row) if (self[row] !== 0 || total[row] !== 0) shown.push(row);
  shown.sort((a, b) => rows.second[a] - rows.second[b]);
  return {
    line: Uint32Array.from(shown, (row) => rows.second[row]),
    self: Float64Array.from(shown, (row) => self[row]),
    total: Float64Array.from(shown, (row) => total[row]),
  };
}

// Of all files, by own value; at most `most`. Each with the function that spent the most there.
export function hottestLines(tree: CallTree, tables: Tables, most: number): HotLine[] {
  const { file } = tables.functions;
  const rows = new PairTable(); // of (file, line); row 0: without a line
  rows.put(NONE, 0);
  const rowOf = new Uint32Array(tree.count);
  for (let node = 0; node < tree.count; ++node) {
    const of = file[tree.function[node]];
    const line = lineOf(tree, tables, node);
    if (of !== NONE && line > 0) rowOf[node] = rows.put(of, line);
  }
  const { self, total } = costsBy(tree, rowOf, rows.count);
  const hot = Array.from(self.keys())
    .filter((row) => row > 0 && self[row] > 0)
    .sort((a, b) => self[b] - self[a] || a - b)
    .slice(0, most);
  const owners = findOwners(tree, rowOf, new Set(hot));
  return hot.map((row) => ({
    function: owners.get(row)!,
    file: rows.first[row],
    line: rows.second[row],
    self: self[row],
    total: total[row],
  }));
}

// By row: the function with the largest own value. A line may belong to several: lambdas, comprehensions.
function findOwners(tree: CallTree, rowOf: Uint32Array, rows: ReadonlySet<number>): Map<number, number> {
  const pairs = new PairTable();
  const spent: number[] = [];
  for (let node = 0; node < tree.count; ++node) {
    if (tree.self[node] === 0 || !rows.has(rowOf[node])) continue;
    const pair = pairs.put(rowOf[node], tree.function[node]);
    spent[pair] = (spent[pair] ?? 0) + tree.self[node];
  }
  const best = new Map<number, number>(); // row: pair
  for (let pair = 0; pair < pairs.count; ++pair) {
    const known = best.get(pairs.first[pair]);
    if (known === undefined || spent[pair] > spent[known]) best.set(pairs.first[pair], pair);
  }
  return new Map([...best].map(([row, pair]) => [row, pairs.second[pair]]));
}
