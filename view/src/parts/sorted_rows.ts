// The order of a table's rows.
import type { Sorting } from './virtual_table';

// Row numbers by a figure or a text of each; rows that are equal, and null at the end, keep their order.
export function sortedRows(
  count: number,
  keyOf: (row: number) => number | string | null,
  isDescending: boolean,
): Uint32Array {
  const keys = Array.from({ length: count }, (_, row) => keyOf(row));
  const sign = isDescending ? -1 : 1;
  return Uint32Array.from(keys.keys()).sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    if (x === y) return a - b;
    return typeof x === 'string' && typeof y === 'string' ? sign * x.localeCompare(y) : x < y ? -sign : sign;
  });
}

// Numbers are looked at from the largest on, names from A on.
export function toggleSort(now: Sorting, column: string, isText = column === 'name'): Sorting {
  return now.column === column
    ? { column, isDescending: !now.isDescending }
    : { column, isDescending: !isText };
}
