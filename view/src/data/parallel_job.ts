// The ranks of a parallel job: `api/N/parallel` of docs/view-data.md.
import type { Columns } from './columns';
import { listIn, numberIn, objectOf, optionalNumberIn, textIn } from './json_values';
import { TableReader } from './table_reader';
import type { Tables } from './types';

export interface JobHost {
  readonly name: string;
  readonly ranks: number;
  readonly cores: number; // 0: unknown
}

export interface JobRanks {
  readonly count: number;
  readonly number: Int32Array;
  readonly process: Uint32Array; // the first of the rank's
  readonly host: Uint32Array; // row of the hosts
  readonly isIdle: Uint8Array;
  // Nanoseconds.
  readonly wall: Float64Array;
  readonly useful: Float64Array; // on a CPU outside MPI
  readonly mpi: Float64Array;
  readonly wait: Float64Array; // of that, for other ranks
  readonly io: Float64Array;
  readonly runnable: Float64Array;
  readonly samples: Float64Array;
}

// Lines that call MPI, those in which ranks wait most first.
export interface MpiCalls {
  readonly count: number;
  readonly function: Uint32Array; // that calls; NONE: no Python code
  readonly line: Uint32Array;
  readonly mpi: Uint32Array; // the MPI function
  readonly smallest: Uint32Array; // sizes of communicators; 0: unknown
  readonly largest: Uint32Array;
  readonly calls: Float64Array;
  readonly bytes: Float64Array;
  readonly time: Float64Array;
  readonly wait: Float64Array;
  readonly share: Float64Array; // of the time of all ranks, waiting
  // For whom, probably; NONE: nobody in particular.
  readonly culprit: Uint32Array; // row of the ranks
  readonly culpritFunction: Uint32Array;
  readonly culpritLine: Uint32Array;
  readonly excess: Float64Array; // that the culprit spends there beyond the others
}

// Useful time of functions with what they call, over the ranks; those that cost most first.
export interface UnevenFunctions {
  readonly count: number;
  readonly function: Uint32Array;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly lowest: Uint32Array; // rows of the ranks
  readonly highest: Uint32Array;
  readonly factor: Float64Array; // maximum over mean
  readonly cost: Float64Array; // maximum less mean
  readonly share: Float64Array; // of the job
  readonly isCertain: Uint8Array; // noise does not explain it
  readonly matters: Uint8Array; // and it is large enough to be worth a look
}

export interface Efficiency {
  readonly withheld: string; // why there is none; empty: there is
  readonly parallel: number | null;
  readonly loadBalance: number | null;
  readonly communication: number | null;
}

export interface ParallelJob {
  readonly worldSize: number; // as the launcher said; 0: unknown
  readonly jobTime: number; // ns that shares are of
  readonly isSampled: boolean;
  readonly hosts: readonly JobHost[];
  readonly efficiency: Efficiency;
  readonly idleCoreHours: number;
  readonly callsLeftOut: number;
  readonly functionsLeftOut: number;
  readonly ranks: JobRanks;
  readonly calls: MpiCalls;
  readonly uneven: UnevenFunctions;
}

function decodeRanks(from: Columns, tables: Tables, hosts: number): JobRanks {
  const read = new TableReader(from, 'ranks');
  const ranks = {
    number: read.signed('rank.number'),
    process: read.rows('rank.process', tables.processes.count),
    host: read.rows('rank.host', hosts),
    isIdle: read.flags('rank.idle'),
    wall: read.values('rank.wall'),
    useful: read.values('rank.useful'),
    mpi: read.values('rank.mpi'),
    wait: read.values('rank.wait'),
    io: read.values('rank.io'),
    runnable: read.values('rank.runnable'),
    samples: read.values('rank.samples'),
  };
  return { count: read.count, ...ranks };
}

function decodeCalls(from: Columns, tables: Tables, ranks: number): MpiCalls {
  const read = new TableReader(from, 'calls');
  const functions = tables.functions.count;
  const calls = {
    function: read.rows('call.function', functions, true),
    line: read.whole('call.line'),
    mpi: read.rows('call.mpi', functions),
    smallest: read.whole('call.smallest'),
    largest: read.whole('call.largest'),
    calls: read.values('call.calls'),
    bytes: read.values('call.bytes'),
    time: read.values('call.time'),
    wait: read.values('call.wait'),
    share: read.values('call.share'),
    culprit: read.rows('culprit.rank', ranks, true),
    culpritFunction: read.rows('culprit.function', functions, true),
    culpritLine: read.whole('culprit.line'),
    excess: read.values('culprit.excess'),
  };
  return { count: read.count, ...calls };
}

function decodeUneven(from: Columns, tables: Tables, ranks: number): UnevenFunctions {
  const read = new TableReader(from, 'uneven functions');
  const uneven = {
    function: read.rows('uneven.function', tables.functions.count),
    mean: read.values('uneven.mean'),
    deviation: read.values('uneven.deviation'),
    minimum: read.values('uneven.minimum'),
    maximum: read.values('uneven.maximum'),
    lowest: read.rows('uneven.lowest', ranks),
    highest: read.rows('uneven.highest', ranks),
    factor: read.values('uneven.factor'),
    cost: read.values('uneven.cost'),
    share: read.values('uneven.share'),
    isCertain: read.flags('uneven.certain'),
    matters: read.flags('uneven.matters'),
  };
  return { count: read.count, ...uneven };
}

export function decodeParallel(from: Columns, tables: Tables): ParallelJob {
  const meta = objectOf(from.meta, 'the description of the job');
  const efficiency = objectOf(meta['efficiency'], 'the efficiency');
  const hosts = listIn(meta, 'hosts').map((each) => {
    const host = objectOf(each, 'a host');
    return { name: textIn(host, 'name'), ranks: numberIn(host, 'ranks'), cores: numberIn(host, 'cores') };
  });
  const ranks = decodeRanks(from, tables, hosts.length);
  return {
    worldSize: numberIn(meta, 'world_size'),
    jobTime: numberIn(meta, 'job_time'),
    isSampled: meta['sampled'] === true,
    hosts,
    efficiency: {
      withheld: textIn(efficiency, 'withheld'),
      parallel: optionalNumberIn(efficiency, 'parallel'),
      loadBalance: optionalNumberIn(efficiency, 'load_balance'),
      communication: optionalNumberIn(efficiency, 'communication'),
    },
    idleCoreHours: numberIn(meta, 'idle_core_hours'),
    callsLeftOut: numberIn(meta, 'calls_left_out'),
    functionsLeftOut: numberIn(meta, 'functions_left_out'),
    ranks,
    calls: decodeCalls(from, tables, ranks.count),
    uneven: decodeUneven(from, tables, ranks.count),
  };
}
