// Lines that call MPI, as rows of a table that can be searched.
import { NONE, type Tables } from '../../data/types';
import type { ParallelJob } from '../../data/parallel_job';
import { formatCount, nameOf, placeOf } from '../../model/format';
import { parseSearch } from '../../model/search';
import { matchesTexts } from '../../parts/search_texts';

// "solver.py:88"; the function where no line is known.
export function lineWords(tables: Tables, fn: number, line: number): string {
  if (fn === NONE) return 'native code';
  return (line > 0 ? placeOf(tables, fn, line) : '') || nameOf(tables, fn);
}

export function communicatorWords(smallest: number, largest: number): string {
  if (largest === 0) return '–';
  const ranks = largest === 1 ? 'rank' : 'ranks';
  if (smallest === largest) return `${formatCount(largest)} ${ranks}`;
  return `${formatCount(smallest)}–${formatCount(largest)} ${ranks}`;
}

export function callerName(tables: Tables, fn: number): string {
  return fn === NONE ? '' : nameOf(tables, fn);
}

// Rows of calls that match what is in the search box.
export function matchingCalls(job: ParallelJob, tables: Tables, search: string): Uint32Array {
  const { calls } = job;
  const all = Uint32Array.from(calls.mpi.keys());
  if (search === '') return all;
  const wanted = parseSearch(search);
  return all.filter((row) =>
    matchesTexts(wanted, [
      nameOf(tables, calls.mpi[row]),
      callerName(tables, calls.function[row]),
      lineWords(tables, calls.function[row], calls.line[row]),
    ]),
  );
}
