// What kind of time it was, by function: the pieces of stacked bars.
import { computed } from '@preact/signals';
import type { Piece } from '../parts/bar';
import { lazyResource } from './lazy_resource';
import { scope } from './scope';
import { isTransformed } from './shown_tree';
import {
  kindValues,
  metric,
  pathFilter,
  profileEntry,
  profileId,
  source,
  tables,
  timeKinds,
  tree,
} from './store';

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

// Sums by what each node belongs to, of nodes that the path filter has left.
export function sumBy(
  group: ArrayLike<number>,
  values: Float64Array,
  left: Float64Array,
  size: number,
): Float64Array {
  const sums = new Float64Array(size);
  for (let i = 0; i < values.length; ++i) {
    if (left[i] !== 0) sums[group[i]] += values[i];
  }
  return sums;
}

// Asked for by function: by node, a large profile would send a hundred times as much.
const functionKinds = lazyResource(() => {
  const from = source.value;
  const kinds = timeKinds.value;
  const count = tables.value.value?.functions.count ?? 0;
  if (!from || !profileEntry.value || kinds.length === 0) return null;
  const ask = async (kind: string): Promise<KindSums> => {
    const found = await from.functions(profileId.value, kind, scope.value);
    const sums = new Float64Array(count);
    found.function.forEach((fn, row) => {
      sums[fn] = found.self[row];
    });
    return { kind, sums };
  };
  return Promise.all(kinds.map(ask));
});

// The path filter leaves some nodes: only then their kinds are needed one by one.
const filteredKinds = computed<readonly KindSums[]>(() => {
  const table = tables.value.value;
  const values = kindValues.value.value;
  const left = tree.value?.self;
  if (!table || !values || !left) return [];
  return timeKinds.value.flatMap((kind) => {
    const found = values.get(kind);
    if (found?.length !== table.nodes.count) return [];
    return [{ kind, sums: sumBy(table.nodes.function, found, left, table.functions.count) }];
  });
});

// All kinds of time by function, in the scope.
export const allKindsByFunction = computed<readonly KindSums[]>(() =>
  pathFilter.value === '' ? (functionKinds.value.value ?? []) : filteredKinds.value,
);

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
