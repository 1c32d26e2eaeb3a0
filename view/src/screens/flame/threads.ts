// The threads that can be shown one by one.
import type { Scope, Tables } from '../../data/types';
import { visible } from '../../model/format';

export function isInScope(tables: Tables, scope: Scope, thread: number): boolean {
  if (scope.threads && !scope.threads.includes(thread)) return false;
  return !scope.processes || scope.processes.includes(tables.threads.process[thread]);
}

// A main thread of the scope, else any thread of it, else thread 0.
export function firstThread(tables: Tables, scope: Scope): number {
  let any = -1;
  for (let row = 0; row < tables.threads.count; ++row) {
    if (!isInScope(tables, scope, row)) continue;
    if (tables.threads.class[row] === 0) return row;
    if (any < 0) any = row;
  }
  return Math.max(0, any);
}

export function processName(tables: Tables, process: number): string {
  const { rank, pid, host } = tables.processes;
  if (rank[process] >= 0) {
    const name = visible(tables.texts.get(host[process]));
    return name ? `rank ${rank[process]} on ${name}` : `rank ${rank[process]}`;
  }
  return pid[process] > 0 ? `process ${pid[process]}` : `process ${process}`;
}

export function threadName(tables: Tables, thread: number): string {
  const { name, process } = tables.threads;
  const own = visible(tables.texts.get(name[thread])) || `thread ${thread}`;
  if (tables.processes.count < 2) return own;
  return `${own} (${shortProcessName(tables, process[thread])})`;
}

export function shortProcessName(tables: Tables, process: number): string {
  const { rank, pid } = tables.processes;
  if (rank[process] >= 0) return `rank ${rank[process]}`;
  return pid[process] > 0 ? `process ${pid[process]}` : `process ${process}`;
}
