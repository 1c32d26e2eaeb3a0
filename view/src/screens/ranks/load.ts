// What the screen shows, loaded while it is shown.
import { computed } from '@preact/signals';
import { param, screenId } from '../../app/address';
import { resource } from '../../app/resource';
import { metric, metrics, profileEntry, source, tables } from '../../app/store';
import type { HeatScale } from './heat_cells';
import { hasRanks, panel, parallelJob } from './job';
import { totalsOf, type RankOrder } from './rank_order';

const MOST_FUNCTIONS = 100;

export const isByTotal = computed(() => param('ranks-by').value === 'total');
export const scale = computed<HeatScale>(() => (param('ranks-scale').value === 'all' ? 'all' : 'row'));
export const order = computed<RankOrder>(() => {
  const wanted = param('ranks-order').value;
  return wanted === 'total' || wanted === 'similarity' ? wanted : 'number';
});
export const isGrouped = computed(() => param('ranks-group').value === '1');
export const isTable = computed(() => param('ranks-table').value === '1');

const isShown = computed(() => screenId.value === 'ranks' && (tables.value.value?.processes.count ?? 0) > 1);

// The profile is of a parallel job, so the screen has more to show than functions.
const isJob = computed(() => hasRanks.value && parallelJob.error.value === '');

export const rankValues = resource(() => {
  const [from, entry, wanted] = [source.value, profileEntry.value, metric.value];
  if (!isShown.value || !from || !entry || !wanted) return null;
  if (isJob.value && panel.value !== 'functions') return null;
  return from
    .ranks(entry.id, wanted.name, isByTotal.value ? 'total' : 'self', MOST_FUNCTIONS)
    .then((ranks) => ({ ranks, metric: wanted }));
});

// Waiting counts as wall time, so that every rank of an MPI job has the same: loads are told by CPU
// time where that is known.
const busyMetric = computed(() => metrics.value.find((each) => each.name === 'cpu') ?? metric.value);

export const load = resource(() => {
  const [from, entry, busy] = [source.value, profileEntry.value, busyMetric.value];
  if (!isShown.value || isJob.value || !from || !entry || !busy) return null;
  // Where fewer functions than asked for come back, they are all there are.
  return from.ranks(entry.id, busy.name, 'self', MOST_FUNCTIONS).then((ranks) => ({
    process: ranks.process,
    whole: ranks.whole ?? (ranks.function.length < MOST_FUNCTIONS ? totalsOf(ranks) : null),
    metric: busy,
  }));
});
