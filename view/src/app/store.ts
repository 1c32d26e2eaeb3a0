// The profile that is shown, in the metric and scope that were chosen. Screens read these signals;
// nothing else loads data that several screens use.
import { computed, signal } from '@preact/signals';
import type { DataSource, Metric } from '../data/types';
import { makeCallTree } from '../model/call_tree';
import { filterTree, matchFunctions, parseSearch } from '../model/search';
import { param, setParams } from './address';
import { lazyResource } from './lazy_resource';
import { resource } from './resource';
import { scope } from './scope';

export const source = signal<DataSource | null>(null);

// Grows when a live profile was read again.
const generation = signal(0);

export const profiles = resource(() => {
  void generation.value;
  return source.value?.profiles() ?? null;
});

const entries = computed(() => profiles.value.value?.profiles ?? []);

export const profileId = computed(() => {
  const wanted = Number(param('profile').value || 0);
  return entries.value.some((entry) => entry.id === wanted) ? wanted : 0;
});
export const profileEntry = computed(
  () => entries.value.find((entry) => entry.id === profileId.value) ?? null,
);

// What is loaded changes with the profile and with its generation.
const key = computed(() => profileEntry.value && `${profileEntry.value.id}:${profileEntry.value.generation}`);

function ofProfile<T>(load: (from: DataSource, profile: number) => Promise<T>) {
  return resource(() => (source.value && key.value !== null ? load(source.value, profileId.value) : null));
}

export const summary = ofProfile((from, profile) => from.summary(profile));
export const tables = ofProfile((from, profile) => from.tables(profile));

// The main one first, then times, then the rest.
export const metrics = computed<readonly Metric[]>(() => {
  const found = summary.value.value;
  const rank = (each: Metric) => (each.name === found?.main_metric ? 0 : each.unit === 'ns' ? 1 : 2);
  return [...(found?.metrics ?? [])].sort((a, b) => rank(a) - rank(b));
});

export const metric = computed<Metric | null>(() => {
  const all = metrics.value;
  const find = (name: string) => all.find((each) => each.name === name);
  return find(param('metric').value) ?? find(summary.value.value?.main_metric ?? '') ?? all[0] ?? null;
});

export function setMetric(name: string): void {
  setParams({ metric: name === summary.value.value?.main_metric ? null : name });
}

// The values of the metric by node, in the scope.
const metricName = computed(() => metric.value?.name ?? null);
const values = resource(() => {
  const name = metricName.value;
  if (!source.value || key.value === null || name === null) return null;
  const table = tables.value.value;
  return source.value.values(profileId.value, [name], scope.value).then((found) => ({
    name,
    table,
    self: found.get(name) ?? new Float64Array(0),
  }));
});

// Everything in the scope, before the path filter.
export const wholeTree = computed(() => {
  const table = tables.value.value;
  const found = values.value.value;
  if (!table || !found || found.self.length !== table.nodes.count) return null;
  return makeCallTree(table, found.self);
});

// Only paths through functions that match; a chip like the rest of the scope.
export const pathFilter = param('paths');

export const tree = computed(() => {
  const whole = wholeTree.value;
  const table = tables.value.value;
  if (!whole || !table || pathFilter.value === '') return whole;
  return filterTree(whole, matchFunctions(parseSearch(pathFilter.value), table));
});

// What keeps the screens from being drawn, as a sentence; empty: nothing.
export const trouble = computed(
  () => profiles.error.value || summary.error.value || tables.error.value || values.error.value,
);

export const isLoading = computed(
  () => summary.isLoading.value || tables.isLoading.value || values.isLoading.value,
);

// The kinds of time that are recorded, in the order in which bars stack them.
export const TIME_KINDS = [
  'python',
  'native',
  'system',
  'gil-wait',
  'lock-wait',
  'mpi',
  'io',
  'runnable',
  'sleep',
  'idle',
] as const;

export const timeKinds = computed(() =>
  TIME_KINDS.filter((kind) => metrics.value.some((each) => each.name === kind && each.total > 0)),
);

// Their values by node, in the scope; loaded when a screen looks.
export const kindValues = lazyResource(() => {
  const kinds = timeKinds.value;
  if (!source.value || key.value === null || kinds.length === 0) return null;
  return source.value.values(profileId.value, kinds, scope.value);
});

// ---- what is selected, shared by all screens

export const search = param('search');
export const searchMatches = computed(() => {
  const table = tables.value.value;
  return table && search.value !== '' ? matchFunctions(parseSearch(search.value), table) : null;
});
export const searchError = computed(() => (search.value === '' ? '' : parseSearch(search.value).error));

export const selectedFunction = computed<number | null>(() => {
  const text = param('function').value;
  const row = text === '' ? Number.NaN : Number(text);
  return Number.isInteger(row) && row >= 0 && row < (tables.value.value?.functions.count ?? 0) ? row : null;
});

export function selectFunction(row: number | null): void {
  setParams({ function: row });
}

// ---- live profiles

const POLL_MS = 2000;

export function followLiveProfiles(): void {
  setInterval(() => {
    const from = source.value;
    const known = entries.value;
    if (!from || !known.some((entry) => entry.live)) return;
    from.profiles().then(
      (now) => {
        const isNew = now.profiles.some(
          (entry, i) => entry.generation !== known[i]?.generation || entry.live !== known[i]?.live,
        );
        if (isNew) ++generation.value;
      },
      () => undefined, // the server has ended; what is shown stays
    );
  }, POLL_MS);
}
