import { describe, expect, it } from 'vitest';
import { makeDiffFrames, removedFrames } from '../src/model/diff_tree';
import { makeProfile, makeRecursion } from './make_profile';

const before = makeProfile(
  [
    [0, 'main', 1],
    [1, 'load', 5],
    [2, 'parse', 2],
    [1, 'solve', 20],
  ],
  {
    main: { file: '/old/a.py', line: 1 },
    solve: { file: '/old/a.py', line: 20 },
    load: { file: '/old/a.py' },
  },
);
const after = makeProfile(
  [
    [0, 'main', 1],
    [1, 'solve', 23],
    [1, 'save', 9],
  ],
  {
    save: { file: '/new/a.py' },
    main: { file: '/new/a.py', line: 3 },
    solve: { file: '/new/a.py', line: 25 },
  },
);

const told = (diff: ReturnType<typeof makeDiffFrames>) =>
  Array.from({ length: diff.count }, (_, row) => {
    const { tables } = diff.isInAfter[row] ? after : before;
    const name = tables.texts.get(tables.functions.name[diff.function[row]]);
    return [name, diff.beforeTotal[row], diff.afterTotal[row], diff.left[row], diff.right[row]];
  });

describe('two profiles in one tree', () => {
  it('match functions by file and name, and keep what is on one side only', () => {
    const diff = makeDiffFrames(before, after);
    expect(told(diff)).toEqual([
      ['main', 28, 33, 0, 33],
      ['solve', 20, 23, 0, 23],
      ['save', 0, 9, 23, 32],
      ['load', 7, 0, 32, 32],
      ['parse', 2, 0, 32, 32],
    ]);
    expect(diff.whole).toBe(33);
    expect(diff.beforeSelf).toEqual(Float64Array.of(1, 20, 0, 5, 2));
    expect(diff.afterSelf).toEqual(Float64Array.of(1, 23, 9, 0, 0));
    expect(diff.levels).toEqual(Uint32Array.of(0, 1, 4, 5));
  });

  it('may be as wide as before', () => {
    const diff = makeDiffFrames(before, after, 'before');
    expect(told(diff)).toEqual([
      ['main', 28, 33, 0, 28],
      ['solve', 20, 23, 0, 20],
      ['load', 7, 0, 20, 27],
      ['save', 0, 9, 27, 27],
      ['parse', 2, 0, 20, 22],
    ]);
    expect(diff.whole).toBe(28);
  });

  it('tell what is gone, without what was inside of it', () => {
    const diff = makeDiffFrames(before, after);
    expect([...removedFrames(diff)]).toEqual([3]);
  });

  it('match functions of one name in the order of their lines', () => {
    const rows = [[0, 'f#1', 1] as const, [0, 'f#2', 2] as const];
    const old = makeProfile(rows, { 'f#1': { file: 'a', line: 9 }, 'f#2': { file: 'a', line: 4 } });
    const now = makeProfile(rows, { 'f#1': { file: 'a', line: 3 }, 'f#2': { file: 'a', line: 8 } });
    const diff = makeDiffFrames(old, now);
    expect([...diff.function]).toEqual([1, 0]);
    expect(diff.beforeTotal).toEqual(Float64Array.of(1, 2));
    expect(diff.afterTotal).toEqual(Float64Array.of(2, 1));
  });

  it('may both be empty, or very deep', () => {
    const none = makeProfile([]);
    expect(makeDiffFrames(none, none).count).toBe(0);
    const deep = makeDiffFrames(makeRecursion(10_000), makeRecursion(9_000));
    expect([deep.count, deep.beforeTotal[0], deep.afterTotal[0]]).toEqual([10_000, 10_000, 9_000]);
  });
});
