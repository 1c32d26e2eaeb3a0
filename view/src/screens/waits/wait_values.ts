// The kinds of waiting that this profile knows, with their values by node in the scope.
import { computed } from '@preact/signals';
import { kindValues, pathFilter, tables, timeKinds } from '../../app/store';
import { makeCallTree } from '../../model/call_tree';
import { filterTree, matchFunctions, parseSearch } from '../../model/search';
import { sumOf } from './wait_rows';
import { WAIT_KINDS, type WaitKind } from './wait_words';

export interface WaitValues {
  readonly kinds: readonly { kind: WaitKind; values: Float64Array; total: number }[];
  readonly waiting: number; // all of these
  readonly whole: number; // with the time in which threads ran
}

export const waitValues = computed<WaitValues | null>(() => {
  const table = tables.value.value;
  const found = kindValues.value.value;
  if (!table || !found) return null;
  const matches = pathFilter.value === '' ? null : matchFunctions(parseSearch(pathFilter.value), table);
  const valuesOf = (kind: string): Float64Array => {
    const values = found.get(kind);
    if (values?.length !== table.nodes.count) return new Float64Array(table.nodes.count);
    return matches ? filterTree(makeCallTree(table, values), matches).self : values;
  };
  const kinds = WAIT_KINDS.filter((kind) => timeKinds.value.includes(kind)).map((kind) => {
    const values = valuesOf(kind);
    return { kind, values, total: sumOf(values) };
  });
  const waiting = kinds.reduce((sum, each) => sum + each.total, 0);
  const running = timeKinds.value
    .filter((kind) => !(WAIT_KINDS as readonly string[]).includes(kind))
    .reduce((sum, kind) => sum + sumOf(valuesOf(kind)), 0);
  return { kinds, waiting, whole: waiting + running };
});
