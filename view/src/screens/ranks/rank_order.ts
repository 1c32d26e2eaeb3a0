// In which order ranks stand side by side, and which of them are alike.
import type { RankValues } from '../../data/types';

export type RankOrder = 'number' | 'total' | 'similarity';

// Columns of the heatmap: the ranks (positions in `process`) of column c are
// members[starts[c]] up to members[starts[c + 1]].
export interface Columns {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
}

export interface RankGroups extends Columns {
  readonly tolerance: number; // at most this part of their time is spent differently
}

const TOLERANCES = [0.1, 0.2, 0.4, 0.8, 2]; // the last one holds for any two
const MOST_GROUPS = 48;

export function totalsOf(ranks: RankValues): Float64Array {
  const count = ranks.process.length;
  const totals = new Float64Array(count);
  for (let i = 0; i < ranks.value.length; ++i) totals[i % count] += ranks.value[i];
  return totals;
}

// Each rank by itself, in the order of the profile's processes: by rank number.
export function inOrder(ranks: RankValues, order: RankOrder, rankNumbers: Int32Array): Uint32Array {
  const all = Uint32Array.from(ranks.process.keys());
  const number = (at: number) => rankNumbers[ranks.process[at]] ?? -1;
  if (order === 'similarity') return groupAlike(ranks).members;
  if (order === 'total') {
    const totals = totalsOf(ranks);
    return all.sort((a, b) => totals[b] - totals[a] || a - b);
  }
  // Processes without a rank come after the ranks.
  return all.sort((a, b) => {
    const [x, y] = [number(a), number(b)];
    if (x < 0 || y < 0) return x < 0 && y < 0 ? a - b : x < 0 ? 1 : -1;
    return x - y || a - b;
  });
}

// Groups of ranks that spend their time alike, the largest group first. Where there would be too
// many groups, what is called alike is less strict.
export function groupAlike(ranks: RankValues): RankGroups {
  const totals = totalsOf(ranks);
  for (const tolerance of TOLERANCES) {
    const groups = groupWithin(ranks, totals, tolerance);
    if (!groups) continue;
    groups.sort((a, b) => b.length - a.length || a[0] - b[0]);
    return { ...columnsOf(groups), tolerance };
  }
  return { ...columnsOf([]), tolerance: 0 };
}

// Each rank is compared with the first one of each group, so that ten thousand of them take a moment
// and not minutes. null: there are too many groups.
function groupWithin(ranks: RankValues, totals: Float64Array, tolerance: number): number[][] | null {
  const count = ranks.process.length;
  const groups: number[][] = [];
  for (let rank = 0; rank < count; ++rank) {
    let nearest = -1;
    let smallest = tolerance;
    for (let group = 0; group < groups.length; ++group) {
      const share = distance(ranks, totals, rank, groups[group][0], smallest);
      if (share > smallest || (share === smallest && nearest >= 0)) continue;
      smallest = share;
      nearest = group;
    }
    if (nearest >= 0) groups[nearest].push(rank);
    else if (groups.length === MOST_GROUPS) return null;
    else groups.push([rank]);
  }
  return groups;
}

// The part of their time that two ranks spend differently; more than `most` need not be exact.
function distance(ranks: RankValues, totals: Float64Array, a: number, b: number, most: number): number {
  const count = ranks.process.length;
  const whole = Math.max(totals[a], totals[b]);
  if (!(whole > 0)) return 0;
  let apart = 0;
  for (let at = 0; at < ranks.value.length && apart <= most * whole; at += count) {
    apart += Math.abs(ranks.value[at + a] - ranks.value[at + b]);
  }
  return apart / whole;
}

function columnsOf(groups: readonly (readonly number[])[]): Columns {
  const starts = new Uint32Array(groups.length + 1);
  groups.forEach((group, i) => {
    starts[i + 1] = starts[i] + group.length;
  });
  return { count: groups.length, starts, members: Uint32Array.from(groups.flat()) };
}

// One column per rank, or as many as there are pixels: neighbours then share a column.
export function fitColumns(order: Uint32Array, most: number): Columns {
  const count = Math.max(1, Math.min(order.length, Math.floor(most)));
  const starts = new Uint32Array(count + 1);
  for (let c = 0; c <= count; ++c) starts[c] = Math.floor((c * order.length) / count);
  return { count, starts, members: order };
}

// The largest value of each column, or the mean where a column is a group of ranks that are alike.
export function columnValues(ranks: RankValues, columns: Columns, isMean: boolean): Float64Array {
  const processes = ranks.process.length;
  const rows = ranks.function.length;
  const values = new Float64Array(rows * columns.count);
  for (let row = 0; row < rows; ++row) {
    for (let c = 0; c < columns.count; ++c) {
      let largest = 0;
      let sum = 0;
      for (let i = columns.starts[c]; i < columns.starts[c + 1]; ++i) {
        const value = ranks.value[row * processes + columns.members[i]];
        sum += value;
        if (value > largest) largest = value;
      }
      const size = columns.starts[c + 1] - columns.starts[c];
      values[row * columns.count + c] = !isMean ? largest : size > 0 ? sum / size : 0;
    }
  }
  return values;
}

// Only the functions that match; `matches` is by function.
export function onlyFunctions(ranks: RankValues, matches: Uint8Array): RankValues {
  const count = ranks.process.length;
  const rows = Array.from(ranks.function.keys()).filter((row) => matches[ranks.function[row]] === 1);
  const pick = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]);
  const value = new Float64Array(rows.length * count);
  rows.forEach((row, i) => value.set(ranks.value.subarray(row * count, (row + 1) * count), i * count));
  return {
    ...ranks,
    function: Uint32Array.from(rows, (row) => ranks.function[row]),
    value,
    minimum: pick(ranks.minimum),
    median: pick(ranks.median),
    maximum: pick(ranks.maximum),
    mean: pick(ranks.mean),
    deviation: pick(ranks.deviation),
  };
}
