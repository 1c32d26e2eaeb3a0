// What the timeline shows: everything coarsely, and what is zoomed into finely.
import { computed, effect, signal } from '@preact/signals';
import { param, screenId } from '../../app/address';
import { resource } from '../../app/resource';
import { scope } from '../../app/scope';
import { profileEntry, profileId, source, tables } from '../../app/store';
import type { Scope } from '../../data/types';
import { clampRange, type Range } from '../../parts/range';
import { highestActivity } from './activity';
import { defaultBy, layoutRows } from './rows';

const BUCKETS = 1000;
const REST_MS = 160; // before finer buckets are asked for

export const by = computed<'thread' | 'process'>(() => {
  const text = param('by').value;
  if (text === 'thread' || text === 'process') return text;
  const table = tables.value.value;
  return table ? defaultBy(table, scope.value) : 'thread';
});

// A selected range is marked on the whole, not cut out of it.
const trackScope = computed<Scope>(() => {
  const { processes, threads, region } = scope.value;
  return {
    ...(processes && { processes }),
    ...(threads && { threads }),
    ...(region !== undefined && { region }),
  };
});

function ask(range: Range | null) {
  void profileEntry.value?.generation;
  const limits = range && { from: range.left, to: range.right };
  return (
    source.value?.timeline(profileId.value, by.value, BUCKETS, { ...trackScope.value, ...limits }) ?? null
  );
}

export const whole = resource(() => (screenId.value === 'timeline' && tables.value.value ? ask(null) : null));

export const extent = computed<Range>(() => {
  const values = whole.value.value;
  return values && values.to > values.from ? { left: values.from, right: values.to } : { left: 0, right: 1 };
});

// null: everything is in sight.
const zoomed = signal<Range | null>(null);
export const view = computed(() => (zoomed.value ? clampRange(zoomed.value, extent.value) : extent.value));

export function setView(next: Range | null): void {
  const isAll = !next || (next.left <= extent.value.left && next.right >= extent.value.right);
  zoomed.value = isAll ? null : next;
}

const rested = signal<Range | null>(null);
effect(() => {
  const now = zoomed.value && view.value;
  const waiting = setTimeout(() => (rested.value = now), REST_MS);
  return () => clearTimeout(waiting);
});

export const detail = resource(() =>
  rested.value && screenId.value === 'timeline' && tables.value.value ? ask(rested.value) : null,
);

// The finest values that cover what is in sight.
export const values = computed(() => {
  const fine = detail.value.value;
  const { left, right } = view.value;
  const covers = fine && zoomed.value && fine.by === by.value && fine.from <= left && fine.to >= right;
  return covers ? fine : whole.value.value;
});

// What fills a lane. A thread does one thing at a time; for processes it is what the whole run has at
// most, as lanes must not change when finer values come, whose peaks are higher.
export const highest = computed(() => {
  const values = whole.value.value;
  return values?.by === 'process' ? highestActivity(values) : 1;
});

export const filter = signal('');

export const layout = computed(() => {
  const table = tables.value.value;
  const found = values.value;
  return table && found ? layoutRows(found, table, filter.value) : null;
});

export const selectedRange = computed<Range | null>(() => {
  const { from, to } = scope.value;
  if (from === undefined && to === undefined) return null;
  const { left, right } = extent.value;
  return { left: from ?? left, right: to ?? right };
});
