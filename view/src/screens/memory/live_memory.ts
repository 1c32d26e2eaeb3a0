// What was live when.
import type { MemoryOfRun } from '../../data/memory';

// By place, the bytes that it held at a time.
export function liveAt(memory: MemoryOfRun, time: number): Float64Array {
  const { moments, place, moment, bytes } = memory.live;
  const held = new Float64Array(memory.places.count);
  for (let i = 0; i < place.length; ++i) if (moments[moment[i]] <= time) held[place[i]] = bytes[i];
  return held;
}

// The last moment of which anything is known, up to a time; null: there is none.
export function snapshotBefore(memory: MemoryOfRun, time: number): number | null {
  return memory.live.moments.findLast((moment) => moment <= time) ?? null;
}

export interface LiveTrack {
  readonly time: Float64Array;
  readonly bytes: Float64Array;
}

// What one place held at each of the moments; null: it was never followed.
export function trackOf(memory: MemoryOfRun, wanted: number): LiveTrack | null {
  const { moments, place, moment, bytes } = memory.live;
  const track = new Float64Array(moments.length);
  const first = place.indexOf(wanted);
  if (first < 0) return null;
  for (let i = first; place[i] === wanted; ++i) track.fill(bytes[i], moment[i]);
  return { time: moments, bytes: track };
}

export function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
