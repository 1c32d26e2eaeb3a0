// The threads that can be shown one by one.
import type { Scope, Tables } from '../../data/types';
import { visible } from '../../model/format';
import { processName } from '../../parts/process_names';

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

export function threadName(tables: Tables, thread: number): string {
  const { name, process } = tables.threads;
  const own = visible(tables.texts.get(name[thread])) || `thread ${thread}`;
  return tables.processes.count < 2 ? own : `${own} (${processName(tables, process[thread])})`;
}
