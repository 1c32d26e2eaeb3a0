// Who waits, and for what. A wait belongs to the Python code nearest above it: that line can be changed.
import { Kind, type Tables } from '../../data/types';
import type { WaitKind } from './wait_words';

export type WaitGrouping = 'line' | 'function' | 'object';

export interface KindValues {
  readonly kind: WaitKind;
  readonly values: Float64Array; // by node, what was waited there itself
}

export interface WaitRow {
  readonly function: number; // who; or what is waited for: below 0 a kind, see kindOfObject
  readonly line: number; // 0: all of the function, or unknown
  readonly values: Float64Array; // by kind
  readonly total: number;
  // The other side of most of it: what a line waits for, or who waits for an object.
  readonly partner: number;
  readonly partnerLine: number;
}

// An object without a name of its own is the kind of waiting: who waits for a CPU is somewhere in its
// code, but does not wait for that code.
const objectOfKind = (kind: number) => -1 - kind;
export const kindOfObject = (object: number) => -1 - object;

// By node the closest Python code at or above it; the root where there is none.
export function ownersOf(tables: Tables): Uint32Array {
  const { count, parent, function: functions } = tables.nodes;
  const { kind } = tables.functions;
  const owners = new Uint32Array(count);
  for (let node = 0; node < count; ++node) {
    const isOwn = parent[node] < 0 || kind[functions[node]] === (Kind.python as number);
    owners[node] = isOwn ? node : owners[parent[node]];
  }
  return owners;
}

interface Sum {
  readonly node: number; // where it was seen first
  readonly values: Float64Array;
  readonly partners: Map<number, { node: number; value: number }>;
}

const LINES = 0x200000; // lines of a file that can be told apart

// The longest wait comes first.
export function makeWaitRows(
  tables: Tables,
  kinds: readonly KindValues[],
  grouping: WaitGrouping,
): WaitRow[] {
  const { function: functions, line, count } = tables.nodes;
  const owners = ownersOf(tables);
  const placeOf = (node: number) => functions[node] * LINES + Math.min(line[node], LINES - 1);
  const objectOf = (node: number, kind: number) => {
    const hasName = tables.functions.kind[functions[node]] === (Kind.label as number);
    return hasName || kinds[kind].kind === 'mpi' ? functions[node] : objectOfKind(kind);
  };
  const isObject = grouping === 'object';
  const sums = new Map<number, Sum>();
  kinds.forEach(({ values }, kind) => {
    for (let node = 0; node < count; ++node) {
      const value = values[node];
      if (!(value > 0)) continue;
      const owner = owners[node];
      const object = objectOf(node, kind);
      const key = isObject ? object : grouping === 'line' ? placeOf(owner) : functions[owner];
      let sum = sums.get(key);
      if (!sum) {
        sum = { node: owner, values: new Float64Array(kinds.length), partners: new Map() };
        sums.set(key, sum);
      }
      sum.values[kind] += value;
      const partnerKey = isObject ? placeOf(owner) : object;
      const partner = sum.partners.get(partnerKey);
      if (partner) partner.value += value;
      else sum.partners.set(partnerKey, { node: owner, value });
    }
  });
  const rows = Array.from(sums, ([key, sum]): WaitRow => {
    const [partnerKey, partner] = [...sum.partners].reduce((best, each) =>
      each[1].value > best[1].value ? each : best,
    );
    return {
      function: isObject ? key : functions[sum.node],
      line: grouping === 'line' ? line[sum.node] : 0,
      values: sum.values,
      total: sumOf(sum.values),
      partner: isObject ? functions[partner.node] : partnerKey,
      partnerLine: isObject ? line[partner.node] : 0,
    };
  });
  return rows.sort((a, b) => b.total - a.total || a.function - b.function || a.line - b.line);
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
