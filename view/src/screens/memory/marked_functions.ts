// Functions whose memory was measured when they were called and when they returned.
import type { Counter, Tables, TimelineValues } from '../../data/types';

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
