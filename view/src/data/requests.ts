// The requests of docs/view-data.md, as text. A page finds its answers by the same text.
import type { Scope } from './types';

export type Query = Readonly<Record<string, string | number | undefined>>;

// Commas stay as they are: the documented form of a request.
export function request(path: string, query: Query = {}): string {
  const pieces = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`);
  return pieces.length === 0 ? `api/${path}` : `api/${path}?${pieces.join('&')}`;
}

export function scopeQuery(scope: Scope): Query {
  return {
    processes: scope.processes && rowRanges(scope.processes),
    threads: scope.threads && rowRanges(scope.threads),
    from: scope.from,
    to: scope.to,
    region: scope.region,
  };
}

// "0-31,40"
export function rowRanges(rows: readonly number[]): string {
  const sorted = [...new Set(rows)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let first = 0; first < sorted.length;) {
    let last = first;
    while (last + 1 < sorted.length && sorted[last + 1] === sorted[last] + 1) ++last;
    ranges.push(first === last ? String(sorted[first]) : `${sorted[first]}-${sorted[last]}`);
    first = last + 1;
  }
  return ranges.join(',');
}

export function hasScope(scope: Scope): boolean {
  return Object.values(scope).some((value) => value !== undefined);
}
