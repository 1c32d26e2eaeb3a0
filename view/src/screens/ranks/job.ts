// The parallel job that the profile is of, loaded while something shows it.
import { computed } from '@preact/signals';
import { param } from '../../app/address';
import { lazyResource } from '../../app/lazy_resource';
import { profileEntry, source, tables } from '../../app/store';
import type { ParallelJob } from '../../data/parallel_job';
import type { Tables } from '../../data/types';
import type { BarOrder } from './rank_bars';

export const hasRanks = computed(() => tables.value.value?.processes.rank.some((rank) => rank >= 0) ?? false);

export const parallelJob = lazyResource(() => {
  const [from, entry] = [source.value, profileEntry.value];
  return from && entry && hasRanks.value ? from.parallel(entry.id) : null;
});

export const barOrder = computed<BarOrder>(() => {
  const wanted = param('ranks-sort').value;
  return wanted === 'useful' || wanted === 'wait' ? wanted : 'number';
});

export type RanksPanel = 'functions' | 'uneven' | 'mpi' | 'ranks';
export const panel = computed<RanksPanel>(() => {
  const wanted = param('ranks-panel').value;
  return wanted === 'uneven' || wanted === 'mpi' || wanted === 'ranks' ? wanted : 'functions';
});

// Rows of the profile's processes that belong to some ranks: their children count with them.
export function processesOfRanks(tables: Tables, job: ParallelJob, rows: ArrayLike<number>): number[] {
  const numbers = new Set(Array.from(rows, (row) => job.ranks.number[row]));
  const found: number[] = [];
  tables.processes.rank.forEach((rank, row) => {
    if (numbers.has(rank)) found.push(row);
  });
  return found;
}
