// Call paths as the flame screen draws them: with the program's named regions among the frames, where a
// profile knows them and unless that was switched off.
import { computed } from '@preact/signals';
import type { PathsOf } from '../data/types';
import { makeCallTree } from '../model/call_tree';
import { filterTree, matchFunctions, parseSearch } from '../model/search';
import { param, setParams } from './address';
import { lazyResource } from './lazy_resource';
import { scope } from './scope';
import { metric, pathFilter, profileEntry, profileId, search, source, summary, tables, tree } from './store';

export const hasRegionPaths = computed(() => summary.value.value?.has.region_paths ?? false);

export const showsRegions = computed(() => hasRegionPaths.value && param('regions').value !== 'hidden');

// Places in one kind of paths mean nothing in the other.
export function toggleRegions(): void {
  setParams({ regions: showsRegions.value ? 'hidden' : null, at: null });
}

export const pathsOf = computed<PathsOf>(() =>
  showsRegions.value ? `${profileId.value}/regions` : profileId.value,
);

const regionTables = lazyResource(() => {
  if (!source.value || !profileEntry.value || !showsRegions.value) return null;
  return source.value.tables(pathsOf.value);
});

const metricName = computed(() => metric.value?.name ?? null);
const regionValues = lazyResource(() => {
  const name = metricName.value;
  if (!source.value || !profileEntry.value || !showsRegions.value || name === null) return null;
  return source.value.values(pathsOf.value, [name], scope.value).then((found) => found.get(name) ?? null);
});

// Null while they are being read.
export const pathTables = computed(() =>
  showsRegions.value ? regionTables.value.value : tables.value.value,
);

export const pathTree = computed(() => {
  if (!showsRegions.value) return tree.value;
  const table = regionTables.value.value;
  const self = regionValues.value.value;
  if (!table || self?.length !== table.nodes.count) return null;
  const whole = makeCallTree(table, self);
  if (pathFilter.value === '') return whole;
  return filterTree(whole, matchFunctions(parseSearch(pathFilter.value), table));
});

// By function of the path tables; null: nothing is searched for.
export const pathMatches = computed(() => {
  const table = pathTables.value;
  return table && search.value !== '' ? matchFunctions(parseSearch(search.value), table) : null;
});

export const pathFault = computed(() => regionTables.error.value || regionValues.error.value);
