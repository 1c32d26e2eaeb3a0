// Which two profiles are compared and how, and what that gives.
import { computed } from '@preact/signals';
import { param, screenId } from '../../app/address';
import { resource } from '../../app/resource';
import { metric, profiles, source } from '../../app/store';
import type { DataSource } from '../../data/types';
import { makeCallTree } from '../../model/call_tree';
import { makeDiffFrames, type Side } from '../../model/diff_tree';
import { readDifference } from './diff_data';
import { makeDiffPicture } from './diff_frames';

export const entries = computed(() => profiles.value.value?.profiles ?? []);

function chosen(name: string, otherwise: number): number {
  const text = param(name).value;
  const wanted = text === '' ? Number.NaN : Number(text);
  return entries.value.some((entry) => entry.id === wanted) ? wanted : (entries.value[otherwise]?.id ?? 0);
}

export const before = computed(() => chosen('before', 0));
export const after = computed(() => chosen('after', 1));
export const isNormalised = computed(() => param('normalise').value === '1');
export const by = computed(() => (param('diff-by').value === 'lines' ? 'lines' : 'functions'));
export const isPicture = computed(() => param('diff-picture').value === '1');
export const isNoiseShown = computed(() => param('diff-noise').value === '1');

const isShown = computed(
  () => screenId.value === 'diff' && entries.value.length > 1 && before.value !== after.value,
);

export const difference = resource(() => {
  const [from, wanted] = [source.value, metric.value];
  void entries.value; // a live profile may have grown
  if (!isShown.value || !from || !wanted) return null;
  return from
    .diff(
      before.value,
      after.value,
      wanted.name,
      isPicture.value ? 'functions' : by.value,
      isNormalised.value,
    )
    .then(readDifference);
});

async function loadSide(from: DataSource, profile: number, metricName: string): Promise<Side> {
  const [tables, values] = await Promise.all([from.tables(profile), from.values(profile, [metricName], {})]);
  const self = values.get(metricName);
  if (!self) throw new Error(`One of the profiles has no values of ${metricName}.`);
  return { tables, tree: makeCallTree(tables, self) };
}

async function loadPicture(
  from: DataSource,
  [old, now]: readonly [number, number],
  wanted: { readonly name: string; readonly unit: 'ns' | 'bytes' | 'count' },
  isScaled: boolean,
) {
  const [first, second] = await Promise.all([
    loadSide(from, old, wanted.name),
    loadSide(from, now, wanted.name),
  ]);
  const scale = isScaled && second.tree.whole > 0 ? first.tree.whole / second.tree.whole : 1;
  return makeDiffPicture(makeDiffFrames(first, second), first.tables, second.tables, scale, wanted.unit);
}

export const picture = resource(() => {
  const [from, wanted] = [source.value, metric.value];
  void entries.value;
  if (!isShown.value || !isPicture.value || !from || !wanted) return null;
  return loadPicture(from, [before.value, after.value], wanted, isNormalised.value);
});
