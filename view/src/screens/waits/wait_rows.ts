// Who waits, and for what. A wait belongs to the Python code nearest above it: that line can be changed.
import { Kind, type Tables } from '../../data/types';

export type WaitGrouping = 'line' | 'function' | 'object';

export interface WaitRow {
  readonly function: number;
  readonly line: number; // 0: all of the function, or unknown
  readonly values: Float64Array; // by kind
  readonly total: number;
  // The other side of most of it: what a line waits for, or who waits for an object.
  readonly partner: number;
  readonly partnerLine: number;
}

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
  readonly node: number;
  readonly values: Float64Array;
  readonly partners: Map<number, { node: number; value: number }>;
}

const LINES = 0x200000; // lines of a file that can be told apart

// `kinds`: by node what each kind of wait cost there itself. The longest wait comes first.
export function makeWaitRows(
  tables: Tables,
  kinds: readonly Float64Array[],
  grouping: WaitGrouping,
): WaitRow[] {
  const { function: functions, line, count } = tables.nodes;
  const owners = ownersOf(tables);
  const placeKey = (node: number) => functions[node] * LINES + Math.min(line[node], LINES - 1);
  const sums = new Map<number, Sum>();
  for (let node = 0; node < count; ++node) {
    let value = 0;
    for (const kind of kinds) value += kind[node];
    if (!(value > 0)) continue;
    const owner = owners[node];
    const isObject = grouping === 'object';
    const key = grouping === 'line' ? placeKey(owner) : functions[isObject ? node : owner];
    let sum = sums.get(key);
    if (!sum) {
      sum = { node: isObject ? node : owner, values: new Float64Array(kinds.length), partners: new Map() };
      sums.set(key, sum);
    }
    kinds.forEach((kind, i) => {
      sum.values[i] += kind[node];
    });
    const partnerKey = isObject ? placeKey(owner) : functions[node];
    const partner = sum.partners.get(partnerKey);
    if (partner) partner.value += value;
    else sum.partners.set(partnerKey, { node: isObject ? owner : node, value });
  }
  const rows = Array.from(sums.values(), (sum): WaitRow => {
    const partner = [...sum.partners.values()].reduce((best, each) =>
      each.value > best.value ? each : best,
    );
    return {
      function: functions[sum.node],
      line: grouping === 'line' ? line[sum.node] : 0,
      values: sum.values,
      total: sum.values.reduce((all, value) => all + value, 0),
      partner: functions[partner.node],
      partnerLine: grouping === 'object' ? line[partner.node] : 0,
    };
  });
  return rows.sort((a, b) => b.total - a.total || a.function - b.function || a.line - b.line);
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
