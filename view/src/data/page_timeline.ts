// A page has one timeline of the whole run; a scope shows a part of it.
import type { Scope, Tables, TimelineValues } from './types';

export function threadsInScope(tables: Tables, scope: Scope): number[] {
  const threads = scope.threads && new Set(scope.threads);
  const processes = scope.processes && new Set(scope.processes);
  const found = [];
  for (let thread = 0; thread < tables.threads.count; ++thread) {
    if (threads && !threads.has(thread)) continue;
    if (processes && !processes.has(tables.threads.process[thread])) continue;
    found.push(thread);
  }
  return found;
}

// Its buckets stay as wide as they were.
export function cutTimeline(whole: TimelineValues, tables: Tables, scope: Scope): TimelineValues {
  const width = (whole.to - whole.from) / whole.buckets;
  if (!(width > 0)) return whole;
  const firstOf = (time: number) => clamp(Math.floor((time - whole.from) / width), 0, whole.buckets - 1);
  const first = scope.from === undefined ? 0 : firstOf(scope.from);
  const endOf = (time: number) => clamp(Math.ceil((time - whole.from) / width), first + 1, whole.buckets);
  const end = scope.to === undefined ? whole.buckets : endOf(scope.to);
  const buckets = end - first;

  const threads = threadsInScope(tables, scope);
  const rows = new Set(whole.by === 'thread' ? threads : threads.map((each) => tables.threads.process[each]));
  const tracks = Array.from(whole.track.keys()).filter((at) => rows.has(whole.track[at]));
  const categories = whole.categories.length;
  const activity = new Float32Array(tracks.length * categories * buckets);
  let to = 0;
  for (const at of tracks) {
    for (let category = 0; category < categories; ++category, to += buckets) {
      const from = (at * categories + category) * whole.buckets;
      activity.set(whole.activity.subarray(from + first, from + end), to);
    }
  }
  return {
    ...whole,
    from: whole.from + first * width,
    to: whole.from + end * width,
    buckets,
    track: Uint32Array.from(tracks, (at) => whole.track[at]),
    activity,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
