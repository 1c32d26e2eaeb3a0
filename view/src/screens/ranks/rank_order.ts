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

// Two ranks are alike when at most this part of their time is spent in different functions.
const ALIKE = 0.1;
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

// Groups of ranks that spend their time alike, the largest group first. Each is compared with the
// first rank of each group, so that ten thousand ranks take a moment and not minutes.
export function groupAlike(ranks: RankValues): Columns {
  const count = ranks.process.length;
  const rows = ranks.function.length;
  const totals = totalsOf(ranks);
  const groups: number[][] = [];
  for (let rank = 0; rank < count; ++rank) {
    let nearest = -1;
    let smallest = Infinity;
    for (let group = 0; group < groups.length; ++group) {
      const leader = groups[group][0];
      const whole = Math.max(totals[rank], totals[leader]);
      let apart = 0;
      for (let row = 0, at = 0; row < rows && apart < smallest * whole; ++row, at += count) {
        apart += Math.abs(ranks.value[at + rank] - ranks.value[at + leader]);
      }
      const share = whole > 0 ? apart / whole : 0;
      if (share < smallest) {
        smallest = share;
        nearest = group;
      }
    }
    if (nearest >= 0 && (smallest <= ALIKE || groups.length >= MOST_GROUPS)) groups[nearest].push(rank);
    else groups.push([rank]);
  }
  groups.sort((a, b) => b.length - a.length || a[0] - b[0]);
  return columnsOf(groups);
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
