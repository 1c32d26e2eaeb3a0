// What a process is called: its rank where it has one.
import { formatRows } from '../app/scope';
import type { Tables } from '../data/types';

export function processName(tables: Tables, row: number): string {
  const rank = tables.processes.rank[row] ?? -1;
  if (rank >= 0) return `rank ${rank}`;
  const pid = tables.processes.pid[row] ?? 0;
  if (pid > 0) return `process ${pid}`;
  return row === 0 ? 'main process' : `process number ${row}`;
}

export function hostName(tables: Tables, row: number): string {
  return row < tables.processes.count ? tables.texts.get(tables.processes.host[row]) : '';
}

export function processWithHost(tables: Tables, row: number): string {
  const host = hostName(tables, row);
  return host === '' ? processName(tables, row) : `${processName(tables, row)} on ${host}`;
}

// "ranks 0-3, 17"; more than a few pieces are counted instead.
export function processesName(tables: Tables, rows: readonly number[]): string {
  if (rows.length === 1) return processName(tables, rows[0]);
  // Processes that a rank has started have its number, too.
  const ranks = [...new Set(rows.map((row) => tables.processes.rank[row] ?? -1))];
  const isRanked = ranks.every((rank) => rank >= 0);
  const word = isRanked ? 'ranks' : 'processes';
  if (!isRanked) return `${rows.length.toLocaleString('en')} ${word}`;
  if (ranks.length === 1) return `rank ${ranks[0]}`;
  const pieces = formatRows(ranks).replaceAll(',', ', ').replaceAll('-', '–');
  return pieces.length > 40 ? `${ranks.length.toLocaleString('en')} ${word}` : `${word} ${pieces}`;
}

// "rank" or "process", for sentences about this profile.
export function processWord(tables: Tables): 'rank' | 'process' {
  return tables.processes.rank.some((rank) => rank >= 0) ? 'rank' : 'process';
}
