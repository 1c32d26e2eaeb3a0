// The rows of the table: functions, or files or modules of them, as far as the search matches.
import type { FunctionCosts } from '../../app/function_values';
import { NONE, type Tables } from '../../data/types';
import { nameOf, placeOf } from '../../model/format';
import { groupName, groupRows, type Grouping } from '../../model/functions';
import { cappedShare } from '../../parts/share';
import { textRanks } from './order';

export interface Rows {
  readonly by: Grouping;
  readonly key: Uint32Array; // a function, a file or the text of a module
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly calls: Float64Array | null;
  readonly members: Uint32Array | null; // functions in a group
  readonly matching: Uint32Array; // rows that the search has left
  readonly whole: number;
}

export function makeRows(
  costs: FunctionCosts,
  tables: Tables,
  by: Grouping,
  matches: Uint8Array | null,
): Rows {
  if (by === 'function') {
    const { self, total, calls, whole } = costs;
    const matching = rowsWhere(costs.function, (fn) => matches === null || matches[fn] === 1);
    return { by, key: costs.function, self, total, calls, members: null, matching, whole };
  }
  const groups = groupRows(costs, tables, by);
  const keyOf = by === 'file' ? tables.functions.file : tables.functions.module;
  const wanted = matches && matchingKeys(costs.function, matches, keyOf);
  return {
    by,
    ...groups,
    calls: null,
    matching: rowsWhere(groups.key, (key) => wanted === null || wanted.has(key)),
    whole: costs.whole,
  };
}

function rowsWhere(keys: Uint32Array, isWanted: (key: number) => boolean): Uint32Array {
  const rows = new Uint32Array(keys.length);
  let count = 0;
  for (let row = 0; row < keys.length; ++row) if (isWanted(keys[row])) rows[count++] = row;
  return rows.slice(0, count);
}

function matchingKeys(functions: Uint32Array, matches: Uint8Array, keyOf: Uint32Array): Set<number> {
  const keys = new Set<number>();
  for (const fn of functions) if (matches[fn] === 1) keys.add(keyOf[fn]);
  return keys;
}

export function rowName(rows: Rows, tables: Tables, row: number): string {
  const key = rows.key[row];
  if (rows.by === 'function') return nameOf(tables, key);
  return groupName(tables, rows.by, key) || (rows.by === 'file' ? 'no file' : 'no module');
}

export function rowPlace(rows: Rows, tables: Tables, row: number): string {
  const key = rows.key[row];
  if (rows.by === 'function') return placeOf(tables, key);
  return rows.by === 'file' && key !== NONE ? tables.texts.get(tables.files.path[key]) : '';
}

export function rowModule(rows: Rows, tables: Tables, row: number): string {
  return rows.by === 'function' ? tables.texts.get(tables.functions.module[rows.key[row]]) : '';
}

export function perCall(rows: Rows, row: number): number {
  const calls = rows.calls?.[row] ?? 0;
  return calls > 0 ? rows.total[row] / calls : -1;
}

export function sortKey(rows: Rows, tables: Tables, column: string): Float64Array {
  const texts = (text: (rows: Rows, tables: Tables, row: number) => string) =>
    textRanks(Array.from(rows.key, (_, row) => text(rows, tables, row).toLowerCase()));
  switch (column) {
    case 'name':
      return texts(rowName);
    case 'place':
      return texts(rowPlace);
    case 'module':
      return texts(rowModule);
    case 'total':
      return rows.total;
    case 'calls':
      return rows.calls ?? rows.self;
    case 'percall':
      return Float64Array.from(rows.key, (_, row) => perCall(rows, row));
    case 'members':
      return Float64Array.from(rows.members ?? rows.key);
    default:
      return rows.self;
  }
}

// What is shown, as a file. Values are plain numbers in the metric's unit.
export function rowsAsCsv(
  rows: Rows,
  tables: Tables,
  order: Uint32Array,
  unit: string,
): (string | number)[][] {
  const share = (value: number) => cappedShare(value, rows.whole);
  const isByFunction = rows.by === 'function';
  const head = [rows.by, `self_${unit}`, 'self_share', `total_${unit}`, 'total_share'];
  if (rows.calls) head.push('calls', `total_${unit}_per_call`);
  if (isByFunction) head.push('file', 'line', 'module');
  else head.push('functions');
  const body = Array.from(order, (row) => {
    const fn = rows.key[row];
    const cells: (string | number)[] = [
      isByFunction ? tables.texts.get(tables.functions.name[fn]) : rowName(rows, tables, row),
      rows.self[row],
      share(rows.self[row]),
      rows.total[row],
      share(rows.total[row]),
    ];
    if (rows.calls) cells.push(rows.calls[row], Math.max(0, perCall(rows, row)));
    if (isByFunction) {
      const file = tables.functions.file[fn];
      cells.push(
        file === NONE ? '' : tables.texts.get(tables.files.path[file]),
        tables.functions.line[fn],
        rowModule(rows, tables, row),
      );
    } else {
      cells.push(rows.members?.[row] ?? 0);
    }
    return cells;
  });
  return [head, ...body];
}
