// What everything on the screen is restricted to: processes, threads, a time range, a region.
import { computed } from '@preact/signals';
import type { Scope } from '../data/types';
import { param, setParams } from './address';

const MOST_ROWS = 1_000_000;

// "0-31,40" as rows; what makes no sense is left out.
export function parseRows(text: string): number[] {
  const rows = new Set<number>();
  for (const piece of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(piece.trim());
    if (!match) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? match[1]), first + MOST_ROWS);
    for (let row = first; row <= last; ++row) rows.add(row);
  }
  return [...rows].sort((a, b) => a - b);
}

export function formatRows(rows: readonly number[]): string {
  const pieces: string[] = [];
  const sorted = [...rows].sort((a, b) => a - b);
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] === sorted[end] + 1) ++end;
    pieces.push(end === i ? String(sorted[i]) : `${sorted[i]}-${sorted[end]}`);
    i = end + 1;
  }
  return pieces.join(',');
}

function parseSeconds(text: string): number | undefined {
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export const scope = computed<Scope>(() => {
  const processes = parseRows(param('processes').value);
  const threads = parseRows(param('threads').value);
  const from = parseSeconds(param('from').value);
  const to = parseSeconds(param('to').value);
  const region = param('region').value;
  return {
    ...(processes.length > 0 && { processes }),
    ...(threads.length > 0 && { threads }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(region !== '' && { region }),
  };
});

export const isScoped = computed(() => Object.keys(scope.value).length > 0);

export function setScope(changes: Scope): void {
  setParams({
    ...('processes' in changes && { processes: formatRows(changes.processes ?? []) }),
    ...('threads' in changes && { threads: formatRows(changes.threads ?? []) }),
    ...('from' in changes && { from: changes.from }),
    ...('to' in changes && { to: changes.to }),
    ...('region' in changes && { region: changes.region }),
  });
}

export function setTimeRange(from: number | null, to: number | null): void {
  const text = (seconds: number | null) => (seconds === null ? null : Number(seconds.toFixed(6)));
  setParams({ from: text(from), to: text(to) });
}
