// A parallel job for tests: four ranks on two hosts, of which rank 3 is late and rank 0 idle.
import { decodeColumns, type Column, type Columns } from '../src/data/columns';
import { NONE, type Tables } from '../src/data/types';
import { encodeColumns } from './encode_columns';
import { makeProfile } from './make_profile';

const S = 1e9;

export const jobProfile = makeProfile(
  [
    [0, 'main', 0, 3],
    [1, 'solve', 1, 61],
    [1, 'exchange', 0, 88],
    [2, 'MPI_Allreduce', 1, 0],
  ],
  {
    main: { file: '/job/solver.py', line: 1 },
    solve: { file: '/job/solver.py', line: 50 },
    exchange: { file: '/job/solver.py', line: 80 },
    MPI_Allreduce: { file: 'MPI' },
  },
);

export const jobTables: Tables = {
  ...jobProfile.tables,
  // Rank 1 has started a process of its own.
  processes: {
    count: 5,
    rank: Int32Array.of(0, 1, 1, 2, 3),
    host: new Uint32Array(5),
    pid: Float64Array.of(1, 2, 3, 4, 5),
    start: new Float64Array(5),
    duration: new Float64Array(5).fill(10),
    status: Uint8Array.of(0, 0, 0, 0, 1),
  },
};

export const jobColumns: Record<string, Column> = {
  'rank.number': Int32Array.of(0, 1, 2, 3),
  'rank.process': Uint32Array.of(0, 1, 3, 4),
  'rank.host': Uint32Array.of(0, 0, 1, 1),
  'rank.idle': Uint8Array.of(1, 0, 0, 0),
  'rank.wall': Float64Array.of(10 * S, 10 * S, 10 * S, 10 * S),
  'rank.useful': Float64Array.of(1 * S, 5 * S, 4 * S, 9 * S),
  'rank.mpi': Float64Array.of(8 * S, 4 * S, 5 * S, 1 * S),
  'rank.wait': Float64Array.of(7 * S, 3 * S, 4 * S, 0),
  'rank.io': Float64Array.of(1 * S, 0, 0, 0),
  'rank.runnable': new Float64Array(4),
  'rank.samples': Float64Array.of(200, 1000, 800, 1800),
  'call.function': Uint32Array.of(jobProfile.fn('exchange'), NONE),
  'call.line': Uint32Array.of(88, 0),
  'call.mpi': Uint32Array.of(jobProfile.fn('MPI_Allreduce'), jobProfile.fn('MPI_Allreduce')),
  'call.smallest': Uint32Array.of(2, 0),
  'call.largest': Uint32Array.of(4, 0),
  'call.calls': Float64Array.of(40, 1),
  'call.bytes': Float64Array.of(4096, 0),
  'call.time': Float64Array.of(18 * S, 1000),
  'call.wait': Float64Array.of(14 * S, 0),
  'call.share': Float64Array.of(0.35, 0),
  'culprit.rank': Uint32Array.of(3, NONE),
  'culprit.function': Uint32Array.of(jobProfile.fn('solve'), NONE),
  'culprit.line': Uint32Array.of(61, 0),
  'culprit.excess': Float64Array.of(5.67 * S, 0),
  'uneven.function': Uint32Array.of(jobProfile.fn('solve'), jobProfile.fn('main')),
  'uneven.mean': Float64Array.of(4.75 * S, 0.1 * S),
  'uneven.deviation': Float64Array.of(2.9 * S, 0.01 * S),
  'uneven.minimum': Float64Array.of(1 * S, 0.09 * S),
  'uneven.maximum': Float64Array.of(9 * S, 0.12 * S),
  'uneven.lowest': Uint32Array.of(0, 1),
  'uneven.highest': Uint32Array.of(3, 2),
  'uneven.factor': Float64Array.of(1.89, 1.2),
  'uneven.cost': Float64Array.of(4.25 * S, 0.02 * S),
  'uneven.share': Float64Array.of(0.425, 0.002),
  'uneven.certain': Uint8Array.of(1, 0),
  'uneven.matters': Uint8Array.of(1, 0),
};

export const jobMeta: Record<string, unknown> = {
  world_size: 4,
  job_time: 10 * S,
  sampled: true,
  hosts: [
    { name: 'node0', ranks: 2, cores: 8 },
    { name: 'node1', ranks: 2, cores: 8 },
  ],
  efficiency: { withheld: '', parallel: 0.475, load_balance: 0.528, communication: 0.9 },
  idle_core_hours: 0.0025,
  calls_left_out: 0,
  functions_left_out: 0,
};

export function jobAnswer(changes: Record<string, Column> = {}, meta: Record<string, unknown> = {}): Columns {
  return decodeColumns(encodeColumns({ ...jobColumns, ...changes }, { ...jobMeta, ...meta }));
}
