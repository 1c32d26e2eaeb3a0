// Memory over time: of each process, and of all together.
import type { Counter, Tables, TimelineValues } from '../../data/types';

export interface MemoryCurve {
  readonly process: number;
  readonly name: string; // of the counter
  readonly time: Float64Array; // seconds
  readonly value: Float64Array; // bytes
  readonly peak: number; // its place among the points
}

export interface MarkedFunction {
  readonly name: string;
  readonly process: number;
  readonly calls: number;
  readonly duration: number; // seconds, over all calls
  readonly increment: number; // bytes, over all calls
  readonly largest: number; // of one call
  readonly before: number;
  readonly after: number;
}

const key = (process: number, name: string) => `${process} ${name}`;

function regionKeys(timeline: TimelineValues, tables: Tables): Set<string> {
  const { regions } = timeline;
  return new Set(
    Array.from(regions.thread, (thread, i) =>
      key(tables.threads.process[thread], regions.names[regions.name[i]]),
    ),
  );
}

export function placeOfPeak(values: Float64Array): number {
  let peak = 0;
  for (let i = 1; i < values.length; ++i) if (values[i] > values[peak]) peak = i;
  return peak;
}

// Counters of bytes, the largest peak first. One with the name of a region holds what was measured
// at the region's ends: that is no curve.
export function memoryCurves(timeline: TimelineValues, tables: Tables): MemoryCurve[] {
  const marked = regionKeys(timeline, tables);
  return timeline.counters
    .filter(
      (counter) =>
        counter.unit === 'bytes' &&
        counter.time.length > 0 &&
        !marked.has(key(counter.process, counter.name)),
    )
    .map(({ process, name, time, value }) => ({ process, name, time, value, peak: placeOfPeak(value) }))
    .sort((a, b) => b.value[b.peak] - a.value[a.peak] || a.process - b.process);
}

// No more than `most` points, and among them the smallest and the largest of each stretch.
export function thinOut(
  time: Float64Array,
  value: Float64Array,
  most: number,
): { time: Float64Array; value: Float64Array } {
  if (time.length <= most || most < 2) return { time, value };
  const stretches = Math.floor(most / 2);
  const kept: number[] = [];
  for (let stretch = 0; stretch < stretches; ++stretch) {
    const from = Math.floor((stretch * time.length) / stretches);
    const to = Math.floor(((stretch + 1) * time.length) / stretches);
    let [low, high] = [from, from];
    for (let i = from; i < to; ++i) {
      if (value[i] < value[low]) low = i;
      if (value[i] > value[high]) high = i;
    }
    kept.push(Math.min(low, high));
    if (low !== high) kept.push(Math.max(low, high));
  }
  return { time: Float64Array.from(kept, (i) => time[i]), value: Float64Array.from(kept, (i) => value[i]) };
}

const MOST_CHANGES = 200_000;

// The sum over processes at each time; a process counts from its first value to its last.
export function sumOfCurves(curves: readonly MemoryCurve[]): { time: Float64Array; value: Float64Array } {
  const each = Math.floor(MOST_CHANGES / Math.max(1, curves.length));
  const thinned = curves.map(({ time, value }) => thinOut(time, value, each));
  const count = thinned.reduce((sum, { time }) => sum + time.length + 1, 0);
  const when = new Float64Array(count);
  const change = new Float64Array(count);
  let at = 0;
  for (const { time, value } of thinned) {
    for (let i = 0; i < time.length; ++i, ++at) {
      when[at] = time[i];
      change[at] = value[i] - (i > 0 ? value[i - 1] : 0);
    }
    // Ends after everything that happens at the same moment.
    when[at] = time.length > 0 ? time[time.length - 1] + 1e-9 : 0;
    change[at++] = time.length > 0 ? -value[value.length - 1] : 0;
  }
  const order = Uint32Array.from(when.keys()).sort((a, b) => when[a] - when[b] || a - b);
  const times: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  order.forEach((change_, i) => {
    sum += change[change_];
    const isLastOfTime = i + 1 === order.length || when[order[i + 1]] > when[change_];
    if (!isLastOfTime) return;
    times.push(when[change_]);
    sums.push(sum);
  });
  // The last one only says that everything has ended.
  return { time: Float64Array.from(times.slice(0, -1)), value: Float64Array.from(sums.slice(0, -1)) };
}

const SAME_MOMENT = 1e-6; // seconds

function valueAt(counter: Counter, time: number): number {
  let low = 0;
  let high = counter.time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (counter.time[middle] < time - SAME_MOMENT) low = middle + 1;
    else high = middle;
  }
  return low < counter.time.length && Math.abs(counter.time[low] - time) <= SAME_MOMENT
    ? counter.value[low]
    : Number.NaN;
}

// Functions whose memory was measured when they were called and when they returned, the one that
// added most first.
export function markedFunctions(timeline: TimelineValues, tables: Tables): MarkedFunction[] {
  const counters = new Map(timeline.counters.map((each) => [key(each.process, each.name), each]));
  const found = new Map<string, MarkedFunction>();
  const { regions } = timeline;
  regions.thread.forEach((thread, i) => {
    const process = tables.threads.process[thread];
    const name = regions.names[regions.name[i]];
    const counter = counters.get(key(process, name));
    if (counter?.unit !== 'bytes' || counter.value.length === 0) return;
    const grown =
      valueAt(counter, regions.start[i] + regions.duration[i]) - valueAt(counter, regions.start[i]);
    const increment = Number.isNaN(grown) ? 0 : grown;
    const known = found.get(key(process, name));
    found.set(key(process, name), {
      name,
      process,
      calls: (known?.calls ?? 0) + 1,
      duration: (known?.duration ?? 0) + regions.duration[i],
      increment: (known?.increment ?? 0) + increment,
      largest: Math.max(known?.largest ?? -Infinity, increment),
      before: counter.value[0],
      after: counter.value[counter.value.length - 1],
    });
  });
  return [...found.values()].sort((a, b) => b.increment - a.increment);
}
