// What the time of each rank went into: a bar per rank, or per pixel where there are more of them.
import type { JobRanks } from '../../data/parallel_job';
import { fitColumns, type Columns } from './rank_order';

export interface Part {
  readonly token: string; // its colour
  readonly words: string;
  readonly short: string;
}

// From the bottom of a bar to its top.
export const PARTS: readonly Part[] = [
  { token: 'useful', words: 'useful work', short: 'Useful' },
  { token: 'mpi', words: 'MPI, moving data', short: 'MPI transfer' },
  { token: 'mpi-wait', words: 'MPI, waiting for others', short: 'MPI waiting' },
  { token: 'waiting', words: 'other waiting', short: 'Other' },
];
const USEFUL = 0;

export type BarOrder = 'number' | 'useful' | 'wait';

// A row of parts per rank. Useful work of several threads may be longer than the wall time.
export function partsOf(ranks: JobRanks): Float64Array {
  const parts = new Float64Array(ranks.count * PARTS.length);
  for (let rank = 0; rank < ranks.count; ++rank) {
    const wait = Math.min(ranks.wait[rank], ranks.mpi[rank]);
    const other = Math.max(0, ranks.wall[rank] - ranks.useful[rank] - ranks.mpi[rank]);
    parts.set([ranks.useful[rank], ranks.mpi[rank] - wait, wait, other], rank * PARTS.length);
  }
  return parts;
}

// Those that can be seen.
export function occurringParts(parts: Float64Array): Part[] {
  const sums = new Float64Array(PARTS.length);
  parts.forEach((value, i) => {
    sums[i % PARTS.length] += value;
  });
  const whole = sums.reduce((sum, value) => sum + value, 0);
  return PARTS.filter((_, part) => sums[part] > whole / 1000);
}

export function orderRanks(ranks: JobRanks, order: BarOrder): Uint32Array {
  const all = Uint32Array.from(ranks.number.keys());
  if (order === 'number') return all;
  const by = order === 'useful' ? ranks.useful : ranks.wait;
  return all.sort((a, b) => by[b] - by[a] || a - b);
}

export interface RankBars {
  readonly columns: Columns;
  readonly means: Float64Array; // a row of parts per column
  readonly busiest: Float64Array; // the most useful time of a rank in the column
  readonly hasIdle: Uint8Array;
  readonly highest: number; // what a full bar stands for
}

// `most` is how many columns can be told apart.
export function makeBars(ranks: JobRanks, parts: Float64Array, order: Uint32Array, most: number): RankBars {
  const columns = fitColumns(order, most);
  const means = new Float64Array(columns.count * PARTS.length);
  const busiest = new Float64Array(columns.count);
  const hasIdle = new Uint8Array(columns.count);
  let highest = 0;
  for (let column = 0; column < columns.count; ++column) {
    const size = columns.starts[column + 1] - columns.starts[column];
    for (let i = columns.starts[column]; i < columns.starts[column + 1]; ++i) {
      const rank = columns.members[i];
      for (let part = 0; part < PARTS.length; ++part) {
        means[column * PARTS.length + part] += parts[rank * PARTS.length + part] / size;
      }
      busiest[column] = Math.max(busiest[column], parts[rank * PARTS.length + USEFUL]);
      if (ranks.isIdle[rank] === 1) hasIdle[column] = 1;
    }
    let sum = 0;
    for (let part = 0; part < PARTS.length; ++part) sum += means[column * PARTS.length + part];
    highest = Math.max(highest, sum, busiest[column]);
  }
  return { columns, means, busiest, hasIdle, highest };
}

export function ranksIn(columns: Columns, column: number): Uint32Array {
  return columns.members.subarray(columns.starts[column], columns.starts[column + 1]);
}

export interface HostRun {
  readonly host: number;
  readonly from: number; // places in the order
  readonly to: number;
}

// Neighbours on one host; none where hosts are mixed, as the names would be in each other's way.
export function hostRuns(ranks: JobRanks, order: Uint32Array, hosts: number): HostRun[] {
  const runs: HostRun[] = [];
  for (let from = 0; from < order.length;) {
    const host = ranks.host[order[from]];
    let to = from + 1;
    while (to < order.length && ranks.host[order[to]] === host) ++to;
    runs.push({ host, from, to });
    from = to;
  }
  return hosts > 1 && runs.length <= hosts ? runs : [];
}
