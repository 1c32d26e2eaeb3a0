// What is known about memory in this profile, loaded while the screen is shown.
import { computed } from '@preact/signals';
import { param, screenId } from '../../app/address';
import { resource } from '../../app/resource';
import { scope } from '../../app/scope';
import { metrics, profileEntry, source, summary, tables } from '../../app/store';
import { FIGURES } from '../../data/memory';
import type { Metric } from '../../data/types';
import { makeCallTree } from '../../model/call_tree';

const BUCKETS = 1000; // as the timeline asks, so that it is one answer
// Of lines that were measured one by one.
const OF_LINES = ['memory', 'increment', 'line-peak', 'line-temporary'];
const OF_PLACES: readonly string[] = FIGURES;

const isShown = computed(() => screenId.value === 'memory');

export const memory = resource(() => {
  const [from, entry, has] = [source.value, profileEntry.value, summary.value.value?.has];
  const hasAny = has?.counters || metrics.value.some((each) => OF_PLACES.includes(each.name));
  return isShown.value && from && entry && hasAny ? from.memory(entry.id, scope.value.processes) : null;
});

// Regions and their counters, for functions that were measured at both ends.
export const timeline = resource(() => {
  const [from, entry, has] = [source.value, profileEntry.value, summary.value.value?.has];
  if (!isShown.value || !from || !entry || !has?.counters || !has.regions) return null;
  return from.timeline(entry.id, 'process', BUCKETS, {});
});

export const lines = resource(() => {
  const [from, entry] = [source.value, profileEntry.value];
  const isMeasured = metrics.value.some((each) => each.name === 'increment');
  if (!isShown.value || !from || !entry || !isMeasured) return null;
  return from.lines(entry.id, {});
});

// Bytes by call path that other tools know, under names of their own.
export const byteMetrics = computed<readonly Metric[]>(() =>
  metrics.value.filter(
    (each) =>
      each.unit === 'bytes' &&
      each.total > 0 &&
      !OF_LINES.includes(each.name) &&
      !OF_PLACES.includes(each.name) &&
      each.name !== 'mpi-bytes',
  ),
);

export const allocations = resource(() => {
  const [from, entry, table, wanted] = [
    source.value,
    profileEntry.value,
    tables.value.value,
    byteMetrics.value,
  ];
  if (!isShown.value || !from || !entry || !table || wanted.length === 0) return null;
  const names = wanted.map((each) => each.name);
  return from.values(entry.id, names, scope.value).then((values) =>
    wanted.flatMap((metric) => {
      const self = values.get(metric.name);
      return self?.length === table.nodes.count ? [{ metric, tree: makeCallTree(table, self) }] : [];
    }),
  );
});

// The moment that was chosen, in seconds; null: none.
export const chosenMoment = computed(() => {
  const text = param('at').value;
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
});

export const isByFunction = computed(() => param('memory-by').value === 'function');
