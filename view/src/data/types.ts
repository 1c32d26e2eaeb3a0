// What the view knows of a profile: docs/view-data.md in TypeScript.
import type { MemoryOfRun } from './memory';
import type { ParallelJob } from './parallel_job';

export type Unit = 'ns' | 'bytes' | 'count';

export interface Metric {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly combine: 'sum' | 'max';
  readonly total: number;
}

export interface Share {
  readonly id: string;
  readonly words: string;
  readonly value: number;
  readonly percent: number;
}

export interface Finding {
  readonly id: string;
  readonly kind: 'warning' | 'hot' | 'hint';
  readonly sentence: string;
  readonly big: string;
  readonly evidence: string;
  readonly function: number | null;
  readonly line: number;
  readonly screen: string;
}

export interface Quality {
  readonly samples: number;
  readonly rejected: number;
  readonly lost: number;
  readonly rate: readonly [number, number] | null;
  readonly cost: number | null;
  readonly error: number | null;
}

export interface Has {
  readonly paths: boolean;
  readonly edges: boolean;
  readonly threads: boolean;
  readonly time: boolean;
  readonly lines: boolean;
  readonly ranks: boolean;
  readonly memory: boolean;
  readonly waits: boolean;
  readonly counters: boolean;
  readonly regions: boolean;
  readonly region_paths: boolean; // regions can be shown among the frames of call paths
}

export interface Summary {
  readonly title: string;
  readonly facts: readonly string[];
  readonly metrics: readonly Metric[];
  readonly main_metric: string;
  readonly shares: readonly Share[];
  readonly findings: readonly Finding[];
  readonly quality: Quality;
  readonly notes: readonly string[];
  readonly processes: number;
  readonly threads: number;
  readonly duration: number;
  readonly start: number;
  readonly finished: boolean;
  readonly sampled: boolean;
  readonly estimated: boolean;
  readonly has: Has;
}

export interface ProfileEntry {
  readonly id: number;
  readonly name: string;
  readonly live: boolean;
  readonly generation: number;
}

export interface Profiles {
  readonly schema_version: number;
  readonly version: string;
  readonly profiles: readonly ProfileEntry[];
}

export const NONE = 0xffffffff;

export const enum Kind {
  python = 0,
  builtin = 1,
  native = 2,
  label = 3,
  region = 4,
}

export const enum Origin {
  own = 0,
  packages = 1,
  standard = 2,
  native = 3,
  builtin = 4,
  other = 5,
}

// Strings by number; decoded when first asked for.
export interface Texts {
  readonly count: number;
  get(index: number): string;
}

export interface Tables {
  readonly texts: Texts;
  readonly files: { readonly count: number; readonly name: Uint32Array; readonly path: Uint32Array };
  readonly functions: {
    readonly count: number;
    readonly name: Uint32Array;
    readonly file: Uint32Array;
    readonly line: Uint32Array;
    readonly kind: Uint8Array;
    readonly origin: Uint8Array;
    readonly module: Uint32Array;
  };
  // Parents before children, a whole subtree after the other; parent -1: a root.
  readonly nodes: {
    readonly count: number;
    readonly parent: Int32Array;
    readonly function: Uint32Array;
    readonly line: Uint32Array;
  };
  readonly threads: {
    readonly count: number;
    readonly process: Uint32Array;
    readonly name: Uint32Array;
    readonly class: Uint8Array;
    readonly start: Float64Array;
    readonly end: Float64Array;
  };
  readonly processes: {
    readonly count: number;
    readonly rank: Int32Array;
    readonly host: Uint32Array;
    readonly pid: Float64Array;
    readonly start: Float64Array;
    readonly duration: Float64Array;
    readonly status: Uint8Array;
  };
}

// Rows of tables, seconds. Nothing: everything counts.
export interface Scope {
  readonly processes?: readonly number[];
  readonly threads?: readonly number[];
  readonly from?: number;
  readonly to?: number;
  readonly region?: string;
}

export interface FunctionValues {
  readonly function: Uint32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly calls: Float64Array;
  readonly primitive: Float64Array;
}

export interface EdgeValues {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly calls: Float64Array;
}

export interface LineValues {
  readonly function: Uint32Array;
  readonly line: Uint32Array;
  readonly hits: Float64Array;
  readonly time: Float64Array;
  readonly self: Float64Array;
  // In bytes, where memory of lines was measured: the most that the process had after the line, and
  // what the line added over all visits.
  readonly memory?: Float64Array;
  readonly increment?: Float64Array;
  // Inside the line: the most above what there was when it began, and what it allocated and freed again.
  readonly peak?: Float64Array;
  readonly temporary?: Float64Array;
}

export interface Source {
  readonly path: string;
  readonly text: string | null;
  readonly from: 'recorded' | 'disk' | 'changed' | 'none';
}

export interface RankValues {
  readonly process: Uint32Array;
  readonly function: Uint32Array;
  readonly value: Float64Array; // a row of processes per function
  readonly minimum: Float64Array;
  readonly median: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly whole?: Float64Array; // per process: what all functions cost together
}

export interface Regions {
  readonly names: readonly string[];
  readonly thread: Uint32Array;
  readonly name: Uint32Array;
  readonly depth: Uint32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
}

export interface Counter {
  readonly name: string;
  readonly unit: Unit;
  readonly process: number;
  readonly time: Float64Array;
  readonly value: Float64Array;
}

export interface TimelineValues {
  readonly by: 'thread' | 'process';
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
  readonly categories: readonly string[];
  readonly omitted: number;
  readonly track: Uint32Array;
  readonly activity: Float32Array; // track x category x bucket
  readonly regions: Regions;
  readonly counters: readonly Counter[];
}

export interface Samples {
  readonly thread: number;
  readonly time: Float64Array;
  readonly node: Uint32Array;
  readonly weight: Float64Array;
}

// The JSON of `pyrometer diff --json` and `pyrometer scale --json` (docs/diff.md, docs/scale.md), as it is.
export type Json = unknown;

// A profile by its row; "0/regions" is the same one with its regions among the frames of call paths: other
// nodes, and more functions behind those that it has.
export type PathsOf = number | `${number}/regions`;

// Where the data come from: a server, or the page itself. Each call may fail with an Error whose
// message is a sentence for the user.
export interface DataSource {
  readonly isPage: boolean;
  profiles(): Promise<Profiles>;
  summary(profile: number): Promise<Summary>;
  tables(profile: PathsOf): Promise<Tables>;
  // By metric, dense: one value per node.
  values(profile: PathsOf, metrics: readonly string[], scope: Scope): Promise<Map<string, Float64Array>>;
  functions(profile: number, metric: string, scope: Scope): Promise<FunctionValues>;
  edges(profile: number, metric: string): Promise<EdgeValues>;
  lines(profile: number, scope: Scope): Promise<LineValues>;
  source(profile: number, file: number): Promise<Source>;
  ranks(profile: number, metric: string, by: 'self' | 'total', most: number): Promise<RankValues>;
  // Fails where no process is a rank of a parallel job.
  parallel(profile: number): Promise<ParallelJob>;
  // Of all processes, or of some; a page may not have it of some, and gives that of all.
  memory(profile: number, processes?: readonly number[]): Promise<MemoryOfRun>;
  timeline(profile: number, by: 'thread' | 'process', buckets: number, scope: Scope): Promise<TimelineValues>;
  samples(profile: PathsOf, thread: number, metric: string, scope: Scope): Promise<Samples>;
  diff(
    before: number,
    after: number,
    metric: string,
    by: 'functions' | 'lines',
    normalise: boolean,
  ): Promise<Json>;
  scaling(metric: string, by: 'functions' | 'lines'): Promise<Json>;
  // Where to download the profile in another tool's format; null where that cannot be had.
  exportAddress(profile: number, format: string, metric: string): string | null;
}
