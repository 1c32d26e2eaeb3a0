import { describe, expect, it } from 'vitest';
import { Kind } from '../src/data/types';
import { kindOfObject, makeWaitRows, ownersOf } from '../src/screens/waits/wait_rows';
import { waitCsv } from '../src/screens/waits/wait_table';
import { isWaitKind, objectWords } from '../src/screens/waits/wait_words';
import { makeProfile } from './make_profile';

const profile = makeProfile(
  [
    [0, 'main', 0, 10],
    [1, 'worker', 0, 20],
    [2, 'lib_wait', 0],
    [3, '(futex)', 0],
    [2, '(waiting for the GIL)', 0],
    [1, 'worker', 0, 25],
    [2, '(futex)', 0],
    [0, 'native_thread', 0],
    [1, '(read)', 0],
  ],
  { main: { file: '/run.py', line: 1 }, worker: { file: '/run.py', line: 18 } },
);
const { tables } = profile;
tables.functions.kind.set([
  Kind.python,
  Kind.python,
  Kind.native,
  Kind.label,
  Kind.label,
  Kind.native,
  Kind.label,
]);

const nodes = (values: Record<number, number>) => {
  const all = new Float64Array(tables.nodes.count);
  for (const [node, value] of Object.entries(values)) all[Number(node)] = value;
  return all;
};
const locks = { kind: 'lock-wait', values: nodes({ 3: 30, 6: 5 }) } as const;
const gil = { kind: 'gil-wait', values: nodes({ 4: 10 }) } as const;
const io = { kind: 'io', values: nodes({ 8: 7 }) } as const;

describe('waits', () => {
  it('belong to the nearest Python code, or to the root where there is none', () => {
    expect(ownersOf(tables)).toEqual(Uint32Array.of(0, 1, 1, 1, 1, 5, 5, 7, 7));
  });

  it('by line say who waits, how long, and for what most', () => {
    const rows = makeWaitRows(tables, [locks, gil, io], 'line');
    expect(
      rows.map((row) => [tables.texts.get(tables.functions.name[row.function]), row.line, row.total]),
    ).toEqual([
      ['worker', 20, 40],
      ['native_thread', 0, 7],
      ['worker', 25, 5],
    ]);
    expect(rows[0].values).toEqual(Float64Array.of(30, 10, 0));
    expect(rows[0].partner).toBe(profile.fn('(futex)'));
  });

  it('by function add up its lines', () => {
    const rows = makeWaitRows(tables, [locks, gil, io], 'function');
    expect(rows.map((row) => [row.function, row.total])).toEqual([
      [profile.fn('worker'), 45],
      [profile.fn('native_thread'), 7],
    ]);
  });

  it('by what is waited for say who waits most', () => {
    const rows = makeWaitRows(tables, [locks, gil, io], 'object');
    expect(rows.map((row) => [row.function, row.total, row.partner, row.partnerLine])).toEqual([
      [profile.fn('(futex)'), 35, profile.fn('worker'), 20],
      [profile.fn('(waiting for the GIL)'), 10, profile.fn('worker'), 20],
      [profile.fn('(read)'), 7, profile.fn('native_thread'), 0],
    ]);
  });

  it('for a CPU are for no function, wherever they are seen; in MPI they are for the call', () => {
    const cpu = { kind: 'runnable', values: nodes({ 1: 9, 2: 4 }) } as const;
    const mpi = { kind: 'mpi', values: nodes({ 2: 3 }) } as const;
    const objects = makeWaitRows(tables, [cpu, mpi], 'object');
    expect(objects.map((row) => [row.function, row.total])).toEqual([
      [-1, 13],
      [profile.fn('lib_wait'), 3],
    ]);
    expect(kindOfObject(objects[0].function)).toBe(0);
    expect(makeWaitRows(tables, [cpu, mpi], 'line').map((row) => [row.line, row.total, row.partner])).toEqual(
      [[20, 16, -1]],
    );
    expect(waitCsv(objects, ['runnable', 'mpi'], tables)[1]).toEqual([
      'a CPU',
      '',
      13,
      13,
      0,
      'worker',
      'run.py:20',
    ]);
  });

  it('are none where nothing waits', () => {
    expect(makeWaitRows(tables, [{ kind: 'io', values: nodes({}) }], 'line')).toEqual([]);
    expect(makeWaitRows(tables, [], 'line')).toEqual([]);
  });
});

describe('words for waits', () => {
  it('explain system calls and leave names of functions alone', () => {
    expect(objectWords('(futex)')).toBe('a lock, a condition or a thread (futex)');
    expect(objectWords('(waiting for the GIL)')).toBe('the GIL');
    expect(objectWords('(system call 451)')).toBe('system call 451');
    expect(objectWords('(constructor)')).toBe('constructor');
    expect(objectWords('sem_wait')).toBe('sem_wait');
  });

  it('know the kinds', () => {
    expect(isWaitKind('gil-wait')).toBe(true);
    expect(isWaitKind('python')).toBe(false);
  });
});
