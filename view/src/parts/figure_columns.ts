// Tables whose rows are chosen and put in order elsewhere: columns of figures, and that order.
import { sortedRows } from './sorted_rows';
import type { Column, Sorting } from './virtual_table';

export type MakeFigureColumn = (
  id: string,
  title: string,
  width: string,
  cell: (row: number) => string,
  hint?: string,
) => Column;

// `rows`: what the table shows, in its order; a cell is asked by one of them.
export function figureColumns(rows: ArrayLike<number>): MakeFigureColumn {
  return (id, title, width, cell, hint = '') => ({
    id,
    title,
    width,
    isNumber: true,
    hint,
    cell: (at) => cell(rows[at]),
  });
}

export type SortKeys = Readonly<Record<string, (row: number) => number | string>>;

// The rows in the order of the chosen column; of one that has no key, in that of `usual`.
export function sortedByColumn(
  rows: ArrayLike<number>,
  keys: SortKeys,
  usual: string,
  sorting: Sorting,
): Uint32Array {
  const key = keys[sorting.column] ?? keys[usual];
  return sortedRows(rows.length, (i) => key(rows[i]), sorting.isDescending).map((i) => rows[i]);
}
