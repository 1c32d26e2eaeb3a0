// Rows in the order of a column. Only row numbers are moved: a hundred thousand rows sort at once.
import type { Sorting } from '../../parts/virtual_table';

// Equal rows stay in the order of their numbers.
export function orderRows(rows: Uint32Array, key: Float64Array, isDescending: boolean): Uint32Array {
  const sign = isDescending ? -1 : 1;
  return rows.slice().sort((a, b) => (key[a] - key[b]) * sign || a - b);
}

// Texts as numbers in the same order: those compare several times as fast.
export function textRanks(texts: readonly string[]): Float64Array {
  const ranks = new Map([...new Set(texts)].sort().map((text, rank) => [text, rank]));
  return Float64Array.from(texts, (text) => ranks.get(text) ?? 0);
}

// "-self" in the address: by self, largest first.
export function parseSorting(text: string, columns: readonly string[], otherwise: Sorting): Sorting {
  const isDescending = text.startsWith('-');
  const column = isDescending ? text.slice(1) : text;
  return columns.includes(column) ? { column, isDescending } : otherwise;
}

export function formatSorting(sorting: Sorting): string {
  return `${sorting.isDescending ? '-' : ''}${sorting.column}`;
}

// What a click on a column's title makes of the order: numbers begin with the largest.
export function nextSorting(now: Sorting, column: string, isNumber: boolean): Sorting {
  return { column, isDescending: now.column === column ? !now.isDescending : isNumber };
}
