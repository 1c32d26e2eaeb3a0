// Sums over the buckets of a timeline.
import type { TimelineValues } from '../../data/types';
import type { Range } from '../../parts/range';

const LEAST_SAMPLES = 4;

export function bucketWidth(values: TimelineValues): number {
  return values.buckets > 0 ? (values.to - values.from) / values.buckets : 0;
}

const FACTORS = [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100]; // each divides a thousand buckets

// Buckets so wide that several samples fall into each: one alone shows a kind of work as everything.
export function coarsen(values: TimelineValues, samplesPerSecond: number): TimelineValues {
  const wanted = LEAST_SAMPLES / (samplesPerSecond * bucketWidth(values));
  const factor = FACTORS.find((each) => each >= wanted) ?? FACTORS[FACTORS.length - 1];
  if (!(wanted > 1) || values.buckets % factor !== 0) return values;
  const buckets = values.buckets / factor;
  const activity = new Float32Array(values.activity.length / factor);
  for (let i = 0; i < values.activity.length; ++i) {
    activity[Math.floor(i / factor)] += values.activity[i] / factor;
  }
  return { ...values, buckets, activity };
}

// The bucket of a moment; -1: before or after all.
export function bucketAt(values: TimelineValues, seconds: number): number {
  const width = bucketWidth(values);
  if (!(width > 0) || seconds < values.from || seconds > values.to) return -1;
  return Math.min(values.buckets - 1, Math.floor((seconds - values.from) / width));
}

// Where the values of a track (its place, not its row) and category begin.
export function seriesStart(values: TimelineValues, track: number, category: number): number {
  return (track * values.categories.length + category) * values.buckets;
}

// Seconds of each category, of one track, within a range; the buckets at its edges count in part.
export function secondsByCategory(values: TimelineValues, track: number, range: Range): Float64Array {
  const sums = new Float64Array(values.categories.length);
  const width = bucketWidth(values);
  if (!(width > 0)) return sums;
  const from = Math.max(0, (range.left - values.from) / width);
  const to = Math.min(values.buckets, (range.right - values.from) / width);
  for (let bucket = Math.floor(from); bucket < to; ++bucket) {
    const part = Math.min(to, bucket + 1) - Math.max(from, bucket);
    for (let category = 0; category < sums.length; ++category) {
      sums[category] += values.activity[seriesStart(values, track, category) + bucket] * part * width;
    }
  }
  return sums;
}

// The largest height of any track: one for a thread, as many as run together for a process.
export function highestActivity(values: TimelineValues): number {
  let highest = 1;
  for (let track = 0; track < values.track.length; ++track) {
    for (let bucket = 0; bucket < values.buckets; ++bucket) {
      let sum = 0;
      for (let category = 0; category < values.categories.length; ++category) {
        sum += values.activity[seriesStart(values, track, category) + bucket];
      }
      if (sum > highest) highest = sum;
    }
  }
  return highest;
}

// A curve's value at a moment: that of the last point before it; null: it had not begun.
export function valueAt(time: Float64Array, value: Float64Array, seconds: number): number | null {
  let from = 0;
  let to = time.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (time[middle] <= seconds) from = middle + 1;
    else to = middle;
  }
  return from > 0 ? value[from - 1] : null;
}
