// What the flame screen shows, as chosen in the address.
import { computed } from '@preact/signals';
import { goTo, param, screenId, setParams } from '../../app/address';
import { frameOptions } from '../../app/frame_options';
import { pathsOf, pathTables, pathTree } from '../../app/region_paths';
import { resource } from '../../app/resource';
import { scope } from '../../app/scope';
import { metric, metrics, profileEntry, source, summary, tables } from '../../app/store';
import type { Unit } from '../../data/types';
import { makeFrames } from '../../model/frames';
import { makeInverted } from '../../model/inverted';
import { makeTimeOrder } from '../../model/time_order';
import type { FrameTree } from '../../model/types';
import { findPath, formatPath } from './frame_path';
import { firstThread, isInScope } from './threads';
import type { Shape } from './scene';

// Callers below this share of everything are left out of inverted pictures.
const SMALLEST_INVERTED = 1 / 2000;

export const shape = computed<Shape>(() => {
  const text = param('shape').value;
  return text === 'flame' || text === 'sunburst' ? text : 'icicle';
});

export const isTimeOrder = computed(
  () => param('order').value === 'time' && (summary.value.value?.has.time ?? false),
);
export const isInverted = computed(() => param('inverted').value === '1' && !isTimeOrder.value);
export const isHeat = computed(() => param('boxes').value === 'heat');
export const isTableShown = computed(() => param('table').value === '1');

export const DEPTHS = ['3', '5', '10', '15', '20', 'all'] as const;
export const depthChoice = computed(() => {
  const text = param('depth').value;
  if ((DEPTHS as readonly string[]).includes(text)) return text;
  return shape.value === 'sunburst' ? '10' : 'all'; // deeper rings are too thin to read
});
export const depth = computed(() =>
  depthChoice.value === 'all' ? Number.MAX_SAFE_INTEGER : Number(depthChoice.value),
);

export const CUTOFFS = ['none', '1000', '100'] as const; // one part in so many of the parent
export const cutoffChoice = computed(() => {
  const text = param('cutoff').value;
  return text === '1000' || text === '100' ? text : 'none';
});
const cutoff = computed(() => (cutoffChoice.value === 'none' ? 0 : 1 / Number(cutoffChoice.value)));

// ---- time order

// A sample lasts as long as it weighs, so a time is needed.
export const timeMetric = computed(() =>
  metric.value?.unit === 'ns'
    ? metric.value
    : (metrics.value.find((each) => each.name === 'wall') ??
      metrics.value.find((each) => each.unit === 'ns')),
);

export const thread = computed<number | null>(() => {
  const table = tables.value.value;
  if (!table || table.threads.count === 0) return null;
  const text = param('thread').value;
  const wanted = text === '' ? Number.NaN : Number(text);
  const isThere = Number.isInteger(wanted) && wanted >= 0 && wanted < table.threads.count;
  return isThere && isInScope(table, scope.value, wanted) ? wanted : firstThread(table, scope.value);
});

export const samples = resource(() => {
  const row = thread.value;
  const name = timeMetric.value?.name;
  if (screenId.value !== 'flame' || !isTimeOrder.value || !source.value) return null;
  void profileEntry.value?.generation;
  if (row === null || name === undefined) return null;
  const paths = pathsOf.value;
  return source.value.samples(paths, row, name, scope.value).then((found) => ({ ...found, paths }));
});

// ---- the picture

export interface Picture {
  readonly frames: FrameTree;
  readonly whole: number; // the value that shares are of
  readonly unit: Unit;
  readonly start: number; // seconds at the left edge; only in time order
  readonly hiddenLevels: number;
}

export const picture = computed<Picture | null>(() => {
  if (screenId.value !== 'flame') return null;
  const callTree = pathTree.value;
  const table = pathTables.value;
  if (!callTree || !table) return null;
  const options = { ...frameOptions.value, cutoff: cutoff.value };
  if (isTimeOrder.value) {
    const found = samples.value.value;
    if (!found || found.thread !== thread.value || found.paths !== pathsOf.value) return null;
    const frames = makeTimeOrder(callTree, table, found, options);
    const { start, hiddenLevels } = frames;
    return { frames, whole: rootsOf(frames), unit: 'ns', start, hiddenLevels };
  }
  const frames = isInverted.value
    ? makeInverted(callTree, table, { ...options, minimumShare: SMALLEST_INVERTED })
    : makeFrames(callTree, table, options);
  return { frames, whole: frames.whole, unit: metric.value?.unit ?? 'ns', start: 0, hiddenLevels: 0 };
});

function rootsOf(frames: FrameTree): number {
  let sum = 0;
  const count = frames.levels.length > 1 ? frames.levels[1] : 0;
  for (let row = 0; row < count; ++row) sum += frames.total[row];
  return sum;
}

// The frame that fills the picture; -1: everything is shown.
export const root = computed(() => {
  const frames = picture.value?.frames;
  const text = param('at').value;
  return frames && text !== '' ? findPath(frames, text) : -1;
});

// Going back in the browser zooms out again.
export function zoomInto(row: number): void {
  const frames = picture.value?.frames;
  if (!frames) return;
  goTo('flame', row < 0 ? { at: null } : { at: formatPath(frames, row), function: frames.function[row] });
}

export function zoomOut(): void {
  const frames = picture.value?.frames;
  if (frames && root.value >= 0) zoomInto(frames.parent[root.value]);
}

export function toggle(name: 'inverted' | 'table' | 'collapse' | 'own'): void {
  setParams({ [name]: param(name).value === '1' ? null : '1', ...(name === 'inverted' && { at: null }) });
}
