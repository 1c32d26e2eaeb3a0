// When a thread counts in a scope: a range of time, or the parts of it that lie in regions. Where a
// range cuts a sample, the part inside counts, as on the server.
import type { TimedSamples } from './decode_answers';
import type { Regions, Scope } from './types';

export interface Window {
  readonly from: number;
  to: number;
}

export function isInTime(scope: Scope): boolean {
  return scope.from !== undefined || scope.to !== undefined || scope.region !== undefined;
}

// By time, apart from each other.
export function makeWindows(scope: Scope, regions: Regions | null, thread: number): Window[] {
  const from = scope.from ?? -Infinity;
  const to = scope.to ?? Infinity;
  if (scope.region === undefined) return from < to ? [{ from, to }] : [];
  const found: Window[] = [];
  for (let i = 0; i < (regions?.thread.length ?? 0); ++i) {
    const { thread: threads, name, names, start, duration } = regions!;
    if (threads[i] !== thread || names[name[i]] !== scope.region) continue;
    const cut = { from: Math.max(from, start[i]), to: Math.min(to, start[i] + duration[i]) };
    if (cut.from < cut.to) found.push(cut);
  }
  found.sort((a, b) => a.from - b.from);
  const windows: Window[] = [];
  for (const each of found) {
    const last = windows.at(-1);
    if (last && each.from <= last.to) last.to = Math.max(last.to, each.to);
    else windows.push(each);
  }
  return windows;
}

// The samples inside, with the part of their weight that is.
export function cutSamples(samples: TimedSamples, windows: readonly Window[]): TimedSamples {
  const node: number[] = [];
  const weight: number[] = [];
  const time: number[] = [];
  const end: number[] = [];
  for (let i = 0; i < samples.time.length; ++i) {
    const begin = samples.time[i];
    const until = samples.end?.[i] ?? samples.time[i + 1] ?? begin;
    for (let at = firstOpen(windows, begin); at < windows.length && windows[at].from <= until; ++at) {
      const from = Math.max(begin, windows[at].from);
      const to = Math.min(until, windows[at].to);
      const part = until > begin ? (to - from) / (until - begin) : 1;
      if (part <= 0) continue;
      node.push(samples.node[i]);
      weight.push(part * samples.weight[i]);
      time.push(from);
      end.push(to);
    }
  }
  return {
    thread: samples.thread,
    node: Uint32Array.from(node),
    weight: Float64Array.from(weight),
    time: Float64Array.from(time),
    end: Float64Array.from(end),
  };
}

// The first window that is not over at that time. Samples need not come in order.
function firstOpen(windows: readonly Window[], time: number): number {
  let low = 0;
  let high = windows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (windows[middle].to <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
