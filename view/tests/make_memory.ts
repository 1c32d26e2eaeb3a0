// Memory of a run for tests: load holds 600 MiB, remember grows, step has temporaries.
import { decodeColumns, type Column, type Columns } from '../src/data/columns';
import { FIGURES, decodeMemory, type Figure, type MemoryOfRun } from '../src/data/memory';
import { NONE } from '../src/data/types';
import { encodeColumns } from './encode_columns';
import { makeProfile } from './make_profile';

export const MIB = 2 ** 20;

export const memoryProfile = makeProfile(
  [
    [0, 'main', 0, 3],
    [1, 'ones', 1, 7],
    [1, 'remember', 1, 2],
    [1, 'step', 1, 9],
  ],
  {
    main: { file: '/job/job.py', line: 1 },
    ones: { file: '/lib/numeric.py', line: 5 },
    remember: { file: '/job/cache.py', line: 1 },
    step: { file: '/job/job.py', line: 8 },
  },
);

const u32 = (...values: number[]) => Uint32Array.from(values);
const f64 = (...values: number[]) => Float64Array.from(values);
const mib = (...values: number[]) => Float64Array.from(values, (value) => value * MIB);

// Rows: ones, remember line 2, remember line 4, step.
const FIGURES_OF_PLACES: Partial<Record<Figure, number[]>> = {
  peak: [600, 60, 40, 0],
  live: [600, 60, 40, 0],
  allocated: [600, 60, 40, 900],
  temporary: [0, 0, 0, 900],
  untouched: [200, 0, 0, 0],
  'peak-numpy': [600, 0, 0, 0],
  'peak-native': [0, 10, 0, 0],
};

export const memoryColumns: Readonly<Record<string, Column>> = {
  'place.function': u32(...['ones', 'remember', 'remember', 'step'].map((name) => memoryProfile.fn(name))),
  'place.line': u32(7, 2, 4, 9),
  'place.caller': u32(memoryProfile.fn('main'), NONE, NONE, NONE),
  'place.caller-line': u32(3, 0, 0, 0),
  ...Object.fromEntries(
    FIGURES.map((figure) => [`place.${figure}`, mib(...(FIGURES_OF_PLACES[figure] ?? [0, 0, 0, 0]))]),
  ),
  'place.allocations': f64(2, 60, 40, 900),
  'moment.time': f64(1, 2, 3, 4),
  'live.place': u32(0, 0, 1, 1, 1),
  'live.moment': u32(0, 2, 0, 1, 3),
  'live.bytes': mib(600, 500, 10, 20, 60),
  'growing.place': u32(1),
  'growing.rate': mib(15),
  'growing.growth': mib(40),
  'growing.live': mib(60),
  'growing.processes': u32(1),
  'process.row': u32(0),
  'process.heap': mib(700),
  'process.heap-time': f64(3),
  'process.resident': mib(500),
  'process.resident-time': f64(Number.NaN),
  'process.limit': mib(1000),
  'process.physical': mib(8000),
  'process.live': mib(700),
  'process.allocated': mib(1600),
  'curve.process': u32(0, 0),
  'curve.kind': Uint8Array.of(1, 0),
  'curve.end': u32(3, 5),
  'point.time': f64(1, 3, 4, 1, 4),
  'point.bytes': mib(600, 700, 650, 400, 500),
  'size.bits': u32(6, 24),
  'size.count': f64(100, 300),
};

const META = {
  mode: 'sampled',
  sample_bytes: 524288,
  duration: 4,
  total: {
    ...Object.fromEntries(
      FIGURES.map((figure) => [
        figure,
        (FIGURES_OF_PLACES[figure] ?? []).reduce((sum, value) => sum + value * MIB, 0),
      ]),
    ),
    allocations: 1002,
  },
  heap_together: null,
  resident_together: null,
  is_of_some: false,
  available: { bytes: 1000 * MIB, is_limit: true },
  spread: null,
  places_left_out: 0,
  tracks_left_out: 0,
  processes_left_out: 0,
  curves_left_out: 0,
};

export function memoryAnswer(
  changes: Readonly<Record<string, Column>> = {},
  meta: Readonly<Record<string, unknown>> = {},
): Columns {
  return decodeColumns(encodeColumns({ ...memoryColumns, ...changes }, { ...META, ...meta }));
}

export function makeMemory(
  changes: Readonly<Record<string, Column>> = {},
  meta: Readonly<Record<string, unknown>> = {},
): MemoryOfRun {
  // Room for two processes, where a spread names them.
  const { tables } = memoryProfile;
  const processes = { ...tables.processes, count: Math.max(2, tables.processes.count) };
  return decodeMemory(memoryAnswer(changes, meta), { ...tables, processes });
}
