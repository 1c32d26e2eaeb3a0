// What is known about memory in this profile, loaded while the screen is shown.
import { computed } from '@preact/signals';
import { screenId } from '../../app/address';
import { resource } from '../../app/resource';
import { scope } from '../../app/scope';
import { metrics, profileEntry, source, summary, tables } from '../../app/store';
import type { Metric } from '../../data/types';
import { makeCallTree } from '../../model/call_tree';

const BUCKETS = 1000; // as the timeline asks, so that it is one answer
// Of lines that were measured one by one; other bytes are values of call paths.
const OF_LINES = ['memory', 'increment'];

const isShown = computed(() => screenId.value === 'memory');

export const timeline = resource(() => {
  const [from, entry] = [source.value, profileEntry.value];
  if (!isShown.value || !from || !entry || !summary.value.value?.has.counters) return null;
  return from.timeline(entry.id, 'process', BUCKETS, {});
});

export const lines = resource(() => {
  const [from, entry] = [source.value, profileEntry.value];
  const isMeasured = metrics.value.some((each) => each.name === 'increment');
  if (!isShown.value || !from || !entry || !isMeasured) return null;
  return from.lines(entry.id, {});
});

// Allocated, live or peak bytes by call path.
export const byteMetrics = computed<readonly Metric[]>(() =>
  metrics.value.filter((each) => each.unit === 'bytes' && each.total > 0 && !OF_LINES.includes(each.name)),
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
