// What was measured on each line of one file, by line number; entry 0 is unused.
import type { LineValues, Metric, Tables } from '../../data/types';
import type { FunctionColumns } from '../../model/functions';
import { makeFileLines } from '../../model/lines';
import type { CallTree } from '../../model/types';

export interface ExactLines {
  readonly hits: Float64Array;
  readonly time: Float64Array; // ns
}

export interface FileValues {
  readonly lines: number; // the largest line number
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly recorded: Uint8Array; // 1: something was measured here
  readonly exact: ExactLines | null;
  readonly isByFunction: boolean; // no position inside a function is known
}

// `lines`: how many the text has; the profile may know of more.
export function makeFileValues(
  tree: CallTree,
  tables: Tables,
  file: number,
  lines: number,
  exactLines: LineValues | null,
): FileValues {
  const columns = makeFileLines(tree, tables, file);
  const inFile = exactRows(exactLines, tables, file);
  let last = Math.max(lines, columns.line.at(-1) ?? 0);
  for (const row of inFile) last = Math.max(last, exactLines!.line[row]);

  const self = new Float64Array(last + 1);
  const total = new Float64Array(last + 1);
  const recorded = new Uint8Array(last + 1);
  columns.line.forEach((line, i) => {
    self[line] = columns.self[i];
    total[line] = columns.total[i];
    recorded[line] = 1;
  });
  let exact: ExactLines | null = null;
  if (exactLines && inFile.length > 0) {
    exact = { hits: new Float64Array(last + 1), time: new Float64Array(last + 1) };
    for (const row of inFile) {
      const line = exactLines.line[row];
      exact.hits[line] += exactLines.hits[row];
      exact.time[line] += exactLines.time[row];
      if (exactLines.hits[row] > 0) recorded[line] = 1;
    }
  }
  return { lines: last, self, total, recorded, exact, isByFunction: isByFunction(tree, tables, file) };
}

// The same where only functions were measured: each stands where it begins. Several may begin on one line.
export function makeValuesByFunction(
  costs: FunctionColumns,
  tables: Tables,
  file: number,
  lines: number,
): FileValues {
  const { functions } = tables;
  const rows = Array.from(costs.function.keys()).filter(
    (row) => functions.file[costs.function[row]] === file && functions.line[costs.function[row]] > 0,
  );
  const last = rows.reduce((most, row) => Math.max(most, functions.line[costs.function[row]]), lines);
  const self = new Float64Array(last + 1);
  const total = new Float64Array(last + 1);
  const recorded = new Uint8Array(last + 1);
  for (const row of rows) {
    const line = functions.line[costs.function[row]];
    self[line] += costs.self[row];
    total[line] = Math.max(total[line], costs.total[row]);
    recorded[line] = 1;
  }
  return { lines: last, self, total, recorded, exact: null, isByFunction: true };
}

// Where only exact lines are known, their times are the heat.
export function heatOf(values: FileValues): Float64Array {
  if (values.self.some((value) => value > 0)) return values.self;
  return values.exact?.time ?? values.total;
}

function exactRows(exact: LineValues | null, tables: Tables, file: number): number[] {
  const rows: number[] = [];
  if (!exact) return rows;
  for (let row = 0; row < exact.function.length; ++row) {
    if (tables.functions.file[exact.function[row]] === file) rows.push(row);
  }
  return rows;
}

function isByFunction(tree: CallTree, tables: Tables, file: number): boolean {
  let hasNodes = false;
  for (let node = 0; node < tree.count; ++node) {
    if (tables.functions.file[tree.function[node]] !== file) continue;
    if (tree.line[node] !== 0) return false;
    hasNodes = true;
  }
  return hasNodes;
}

// By node the line in the file; 0: elsewhere.
export function linesOfNodes(tree: CallTree, tables: Tables, file: number): Uint32Array {
  const { functions } = tables;
  return tree.function.map((fn, node) =>
    functions.file[fn] === file ? tree.line[node] || functions.line[fn] : 0,
  );
}

// What was measured of memory on each line of a file, by the name of the column.
export function memoryOfLines(
  exact: LineValues,
  tables: Tables,
  file: number,
  lines: number,
): Map<'memory' | 'increment' | 'peak' | 'temporary', Float64Array> {
  const found = new Map<'memory' | 'increment' | 'peak' | 'temporary', Float64Array>();
  const inFile = exactRows(exact, tables, file);
  for (const name of ['increment', 'memory', 'peak', 'temporary'] as const) {
    const values = exact[name];
    if (!values || !inFile.some((row) => values[row] !== 0)) continue;
    const isLevel = name === 'memory' || name === 'peak';
    const byLine = new Float64Array(lines + 1);
    for (const row of inFile) {
      const line = exact.line[row];
      byLine[line] = isLevel ? Math.max(byLine[line], values[row]) : byLine[line] + values[row];
    }
    found.set(name, byLine);
  }
  return found;
}

// Another metric by line, put together as the metric says.
export function metricByLine(
  metric: Metric,
  values: Float64Array,
  lineOfNode: Uint32Array,
  lines: number,
): Float64Array {
  const byLine = new Float64Array(lines + 1);
  for (let node = 0; node < Math.min(values.length, lineOfNode.length); ++node) {
    const line = lineOfNode[node];
    if (line === 0) continue;
    byLine[line] =
      metric.combine === 'max' ? Math.max(byLine[line], values[node]) : byLine[line] + values[node];
  }
  return byLine;
}
