// What kind of time it was, by function: the pieces of stacked bars.
import { computed } from '@preact/signals';
import type { Piece } from '../parts/bar';
import { lazyResource } from './lazy_resource';
import { scope } from './scope';
import { isTransformed } from './shown_tree';
import { metric, pathFilter, profileEntry, profileId, source, tables, timeKinds, tree } from './store';

const CPU_KINDS: readonly string[] = ['python', 'native', 'system'];

export interface KindSums {
  readonly kind: string;
  readonly sums: Float64Array;
}

// The kinds that the metric of now consists of; none where it is something else.
export const stackedKinds = computed<readonly string[]>(() => {
  const name = metric.value?.name;
  if (name === 'wall') return timeKinds.value;
  return name === 'cpu' ? timeKinds.value.filter((kind) => CPU_KINDS.includes(kind)) : [];
});

// `left`: only nodes where it is not 0 count; null: all.
export function sumBy(
  group: ArrayLike<number>,
  values: Float64Array,
  left: Float64Array | null,
  size: number,
): Float64Array {
  const sums = new Float64Array(size);
  for (let i = 0; i < values.length; ++i) {
    if (left === null || left[i] !== 0) sums[group[i]] += values[i];
  }
  return sums;
}

// Sums of each kind of time. One kind after the other: all at once, by node, would be too much of a
// large profile.
export async function loadKinds(
  ask: (kind: string) => Promise<Float64Array | undefined>,
  kinds: readonly string[],
  group: Uint32Array,
  left: Float64Array | null,
  size: number,
): Promise<KindSums[]> {
  const found: KindSums[] = [];
  for (const kind of kinds) {
    const values = await ask(kind);
    if (values?.length === group.length) found.push({ kind, sums: sumBy(group, values, left, size) });
  }
  return found;
}

// How to ask for a kind by node, in the scope of now; null: not yet.
export function askForKinds(): ((kind: string) => Promise<Float64Array | undefined>) | null {
  const from = source.value;
  const [profile, within] = [profileId.value, scope.value];
  if (!from || !profileEntry.value) return null;
  return (kind) => from.values(profile, [kind], within).then((found) => found.get(kind));
}

// What the path filter has left.
export const leftNodes = computed(() => (pathFilter.value === '' ? null : (tree.value?.self ?? null)));

const loadedKinds = lazyResource(() => {
  const ask = askForKinds();
  const table = tables.value.value;
  const left = leftNodes.value;
  if (!ask || !table || timeKinds.value.length === 0) return null;
  return loadKinds(ask, timeKinds.value, table.nodes.function, left, table.functions.count);
});

// All kinds of time by function, in the scope.
export const allKindsByFunction = computed<readonly KindSums[]>(() => loadedKinds.value.value ?? []);

// Those that make up the metric. They are known of functions as recorded, not of folded ones.
export const kindsByFunction = computed<readonly KindSums[]>(() => {
  if (isTransformed.value || stackedKinds.value.length === 0) return [];
  return allKindsByFunction.value.filter(({ kind }) => stackedKinds.value.includes(kind));
});

// A bar of `value`, `full` being its whole width. What no kind explains is waiting.
export function barPieces(kinds: readonly KindSums[], row: number, value: number, full: number): Piece[] {
  if (full <= 0) return [];
  const pieces: Piece[] = [];
  let named = 0;
  for (const { kind, sums } of kinds) {
    if (sums[row] <= 0) continue;
    pieces.push({ id: kind, share: sums[row] / full });
    named += sums[row];
  }
  const rest = value - named;
  if (pieces.length === 0) return value > 0 ? [{ id: 'heat2', share: value / full }] : [];
  if (rest > value / 1000) pieces.push({ id: 'waiting', share: rest / full });
  return pieces;
}
