// What the values of one function say over all ranks.
import { formatCount } from '../../model/format';

export interface Outlier {
  readonly rank: number; // position in the values
  readonly value: number;
}

// 1.4826 times the median distance estimates the deviation of a normal distribution; three of them are
// far out. Where most values are equal, so that this is nothing, a tenth of the largest must differ.
const DEVIATIONS = 3;
const OF_MEDIAN_DISTANCE = 1.4826;
const LEAST_SHARE = 0.1;

function medianOfSorted(sorted: Float64Array): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export function medianOf(values: Float64Array): number {
  return values.length === 0 ? 0 : medianOfSorted(values.slice().sort());
}

export function largestOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; ++i) if (values[i] > largest) largest = values[i];
  return largest;
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; ++i) sum += values[i];
  return values.length === 0 ? 0 : sum / values.length;
}

// Ranks that are far from the median, the farthest first.
export function outliersOf(values: Float64Array): Outlier[] {
  if (values.length < 3) return [];
  const median = medianOf(values);
  const distances = values.map((value) => Math.abs(value - median));
  const limit = Math.max(
    DEVIATIONS * OF_MEDIAN_DISTANCE * medianOf(distances),
    LEAST_SHARE * largestOf(values),
  );
  const found: Outlier[] = [];
  values.forEach((value, rank) => {
    if (distances[rank] > limit) found.push({ rank, value });
  });
  return found.sort((a, b) => distances[b.rank] - distances[a.rank] || a.rank - b.rank);
}

// Mean over maximum: the part of its time that the mean rank works while the busiest one does.
// null: nobody worked.
export function balanceOf(busy: ArrayLike<number>): number | null {
  const largest = largestOf(busy);
  return largest > 0 ? meanOf(busy) / largest : null;
}

export function indexOfLargest(values: ArrayLike<number>): number {
  let at = 0;
  for (let i = 1; i < values.length; ++i) if (values[i] > values[at]) at = i;
  return at;
}

// "1.93", "12.5", "1,024": how many times the mean a value is.
export function formatTimes(value: number, mean: number): string {
  if (!(mean > 0)) return '–';
  const times = value / mean;
  return times >= 99.95 ? formatCount(Math.round(times)) : times.toFixed(times >= 9.995 ? 1 : 2);
}
