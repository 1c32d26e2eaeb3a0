// Memory of a run: `api/N/memory` of docs/view-data.md.
import { column, damaged, numbers, type Columns } from './columns';
import { numberIn, objectOf, textIn, type JsonObject } from './json_values';
import { TableReader } from './table_reader';
import type { Tables } from './types';

// What is known of each place; bytes, but for the two counts.
export const FIGURES = [
  'peak',
  'live',
  'allocated',
  'temporary',
  'untouched',
  'allocations',
  'live-blocks',
  'peak-numpy',
  'peak-native',
  'live-numpy',
  'live-native',
  'allocated-numpy',
  'allocated-native',
] as const;
export type Figure = (typeof FIGURES)[number];

// Lines that allocated.
export interface MemoryPlaces {
  readonly count: number;
  readonly function: Uint32Array;
  readonly line: Uint32Array; // 0: unknown
  readonly caller: Uint32Array; // whose own code a library allocated for; NONE: nobody's
  readonly callerLine: Uint32Array;
  readonly figures: Readonly<Record<Figure, Float64Array>>;
}

// From the moment on, the place held so many bytes; by place, in the order of time.
export interface LiveChanges {
  readonly moments: Float64Array; // seconds
  readonly place: Uint32Array;
  readonly moment: Uint32Array;
  readonly bytes: Float64Array;
}

export interface GrowingPlaces {
  readonly count: number;
  readonly place: Uint32Array;
  readonly rate: Float64Array; // bytes per second
  readonly growth: Float64Array;
  readonly live: Float64Array;
  readonly processes: Uint32Array;
}

// Those with the highest peaks first; NaN: unknown.
export interface ProcessPeaks {
  readonly count: number;
  readonly process: Uint32Array;
  readonly heap: Float64Array;
  readonly heapTime: Float64Array; // seconds
  readonly resident: Float64Array;
  readonly residentTime: Float64Array;
  readonly limit: Float64Array; // of the cgroup
  readonly physical: Float64Array; // of the machine
  readonly live: Float64Array;
  readonly allocated: Float64Array;
}

export interface MemoryCurve {
  readonly process: number; // NONE: all together
  readonly isHeap: boolean; // or resident
  readonly time: Float64Array; // seconds
  readonly bytes: Float64Array;
}

export interface MemoryLevel {
  readonly bytes: number;
  readonly time: number; // seconds; NaN: unknown
}

// The peaks of processes, or of ranks, side by side.
export interface MemorySpread {
  readonly of: string; // "ranks" or "processes"
  readonly isHeap: boolean; // or resident
  readonly count: number;
  readonly least: number;
  readonly lowest: number; // row of the process
  readonly mean: number;
  readonly most: number;
  readonly highest: number;
  readonly imbalance: number; // the most over the mean
}

// What processes of one host may have together.
export interface AvailableMemory {
  readonly bytes: number;
  readonly isLimit: boolean; // of their cgroup; or what the machine has
}

export interface MemoryOfRun {
  readonly mode: string; // "sampled", "exact", "objects"; empty: unknown
  readonly sampleBytes: number;
  readonly duration: number;
  readonly total: Readonly<Record<Figure, number>>;
  readonly isOfSome: boolean; // of the processes that were asked for, not of all
  readonly available: AvailableMemory | null; // null: unknown, or they are on several hosts
  readonly spread: MemorySpread | null; // null: of one process only
  // The most that several processes had at one moment.
  readonly heapTogether: MemoryLevel | null;
  readonly residentTogether: MemoryLevel | null;
  readonly placesLeftOut: number;
  readonly processesLeftOut: number;
  readonly curvesLeftOut: number;
  readonly places: MemoryPlaces;
  readonly live: LiveChanges;
  readonly growing: GrowingPlaces;
  readonly processes: ProcessPeaks;
  readonly curves: readonly MemoryCurve[];
  readonly sizes: { readonly bits: Uint32Array; readonly count: Float64Array };
}

function byFigure<T>(make: (figure: Figure) => T): Record<Figure, T> {
  return Object.fromEntries(FIGURES.map((figure) => [figure, make(figure)])) as Record<Figure, T>;
}

function decodePlaces(from: Columns, tables: Tables): MemoryPlaces {
  const read = new TableReader(from, 'places');
  const functions = tables.functions.count;
  const places = {
    function: read.rows('place.function', functions),
    line: read.whole('place.line'),
    caller: read.rows('place.caller', functions, true),
    callerLine: read.whole('place.caller-line'),
    figures: byFigure((figure) => read.values(`place.${figure}`)),
  };
  return { count: read.count, ...places };
}

function decodeLive(from: Columns, places: number): LiveChanges {
  const moments = numbers(from, 'moment.time');
  const read = new TableReader(from, 'live memory');
  return {
    moments,
    place: read.rows('live.place', places),
    moment: read.rows('live.moment', moments.length),
    bytes: read.values('live.bytes'),
  };
}

function decodeGrowing(from: Columns, places: number): GrowingPlaces {
  const read = new TableReader(from, 'growing places');
  const growing = {
    place: read.rows('growing.place', places),
    rate: read.values('growing.rate'),
    growth: read.values('growing.growth'),
    live: read.values('growing.live'),
    processes: read.whole('growing.processes'),
  };
  return { count: read.count, ...growing };
}

function decodeProcesses(from: Columns, tables: Tables): ProcessPeaks {
  const read = new TableReader(from, 'processes');
  const processes = {
    process: read.rows('process.row', tables.processes.count),
    heap: read.values('process.heap'),
    heapTime: read.values('process.heap-time'),
    resident: read.values('process.resident'),
    residentTime: read.values('process.resident-time'),
    limit: read.values('process.limit'),
    physical: read.values('process.physical'),
    live: read.values('process.live'),
    allocated: read.values('process.allocated'),
  };
  return { count: read.count, ...processes };
}

function decodeCurves(from: Columns, tables: Tables): MemoryCurve[] {
  const read = new TableReader(from, 'curves');
  const process = read.rows('curve.process', tables.processes.count, true);
  const kind = read.flags('curve.kind');
  const end = read.whole('curve.end');
  const points = new TableReader(from, 'points');
  const time = points.values('point.time');
  const bytes = points.values('point.bytes');
  return Array.from(end, (to, i) => {
    const begin = i > 0 ? end[i - 1] : 0;
    if (to < begin || to > points.count) throw damaged('a curve ends outside its points');
    return {
      process: process[i],
      isHeap: kind[i] === 1,
      time: time.subarray(begin, to),
      bytes: bytes.subarray(begin, to),
    };
  });
}

function levelIn(meta: JsonObject, name: string): MemoryLevel | null {
  if (meta[name] === null) return null;
  const level = objectOf(meta[name], name);
  return { bytes: numberIn(level, 'bytes'), time: numberIn(level, 'time') };
}

function spreadIn(meta: JsonObject, tables: Tables): MemorySpread | null {
  if (meta['spread'] === null) return null;
  const spread = objectOf(meta['spread'], 'the spread');
  const row = (name: string) => {
    const found = numberIn(spread, name);
    if (!(found >= 0 && found < tables.processes.count)) throw damaged('a spread names no process');
    return found;
  };
  return {
    of: textIn(spread, 'of'),
    isHeap: spread['heap'] === true,
    count: numberIn(spread, 'count'),
    least: numberIn(spread, 'least'),
    lowest: row('lowest'),
    mean: numberIn(spread, 'mean'),
    most: numberIn(spread, 'most'),
    highest: row('highest'),
    imbalance: numberIn(spread, 'imbalance'),
  };
}

function availableIn(meta: JsonObject): AvailableMemory | null {
  if (meta['available'] === null) return null;
  const available = objectOf(meta['available'], 'what is available');
  return { bytes: numberIn(available, 'bytes'), isLimit: available['is_limit'] === true };
}

export function decodeMemory(from: Columns, tables: Tables): MemoryOfRun {
  const meta = objectOf(from.meta, 'the description of memory');
  const total = objectOf(meta['total'], 'the total');
  const places = decodePlaces(from, tables);
  return {
    mode: textIn(meta, 'mode'),
    sampleBytes: numberIn(meta, 'sample_bytes'),
    duration: numberIn(meta, 'duration'),
    total: byFigure((figure) => numberIn(total, figure)),
    isOfSome: meta['is_of_some'] === true,
    available: availableIn(meta),
    spread: spreadIn(meta, tables),
    heapTogether: levelIn(meta, 'heap_together'),
    residentTogether: levelIn(meta, 'resident_together'),
    placesLeftOut: numberIn(meta, 'places_left_out'),
    processesLeftOut: numberIn(meta, 'processes_left_out'),
    curvesLeftOut: numberIn(meta, 'curves_left_out'),
    places,
    live: decodeLive(from, places.count),
    growing: decodeGrowing(from, places.count),
    processes: decodeProcesses(from, tables),
    curves: decodeCurves(from, tables),
    sizes: { bits: column(from, 'size.bits', Uint32Array), count: numbers(from, 'size.count') },
  };
}
