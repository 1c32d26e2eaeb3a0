// Curves over time for the overview: how many threads worked, how much memory was in use.
import type { Counter, TimelineValues } from '../../data/types';

const BUSY: readonly string[] = ['python', 'native', 'system'];

// By bucket the mean number of threads on a CPU; null where that is not known of all tracks.
export function busyThreads(timeline: TimelineValues): Float64Array | null {
  const { categories, buckets, activity, track, omitted } = timeline;
  const busy = categories.flatMap((category, i) => (BUSY.includes(category) ? [i] : []));
  if (busy.length === 0 || omitted > 0 || track.length === 0 || buckets === 0) return null;
  const sums = new Float64Array(buckets);
  for (let row = 0; row < track.length; ++row) {
    for (const category of busy) {
      const start = (row * categories.length + category) * buckets;
      for (let i = 0; i < buckets; ++i) sums[i] += activity[start + i];
    }
  }
  return sums;
}

// Of each name the counter that rises highest: with many processes, the one to look at.
export function highestCounters(counters: readonly Counter[]): { counter: Counter; most: number }[] {
  const found = new Map<string, { counter: Counter; most: number }>();
  for (const counter of counters) {
    const most = counter.value.reduce((a, b) => Math.max(a, b), 0);
    const known = found.get(counter.name);
    if (counter.value.length > 1 && (!known || most > known.most)) found.set(counter.name, { counter, most });
  }
  return [...found.values()];
}

// A line in a box of 0..width and 0..height, highest values at the top.
export function curvePoints(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  most: number,
  width: number,
  height: number,
): string {
  const first = x[0];
  const span = x[x.length - 1] - first || 1;
  const points: string[] = [];
  for (let i = 0; i < x.length; ++i) {
    const at = ((x[i] - first) / span) * width;
    const up = most > 0 ? (Math.max(0, y[i]) / most) * height : 0;
    points.push(`${at.toFixed(1)},${(height - up).toFixed(1)}`);
  }
  return points.join(' ');
}
