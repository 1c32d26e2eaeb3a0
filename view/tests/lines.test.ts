import { describe, expect, it } from 'vitest';
import { hottestLines, makeFileLines, makeFunctionLines } from '../src/model/lines';
import { makeProfile, makeRecursion } from './make_profile';

const profile = makeProfile(
  [
    [0, 'main', 1, 7],
    [1, 'f', 2, 3],
    [2, 'f', 4, 3],
    [3, 'g', 8, 20],
    [1, 'f', 16, 5],
    [1, 'lambda', 32, 5],
    [1, 'len', 64],
    [1, 'old', 128],
  ],
  {
    main: { file: '/run.py', line: 6 },
    f: { file: '/lib.py', line: 2 },
    g: { file: '/lib.py', line: 19 },
    lambda: { file: '/lib.py', line: 5 },
    old: { file: '/lib.py', line: 40 },
  },
);

describe('lines', () => {
  it('of a file have their own time and that of what they call, recursion once', () => {
    const lines = makeFileLines(profile.tree, profile.tables, profile.tables.functions.file[profile.fn('f')]);
    expect(lines.line).toEqual(Uint32Array.of(3, 5, 20, 40)); // 40: the line of old is not known
    expect(lines.self).toEqual(Float64Array.of(6, 48, 8, 128));
    expect(lines.total).toEqual(Float64Array.of(14, 48, 8, 128));
  });

  it('of a function are its own', () => {
    const lines = makeFunctionLines(profile.tree, profile.tables, profile.fn('f'));
    expect(lines.line).toEqual(Uint32Array.of(3, 5));
    expect(lines.self).toEqual(Float64Array.of(6, 16));
    expect(lines.total).toEqual(Float64Array.of(14, 16));
  });

  it('of a file that does not exist are none', () => {
    expect(makeFileLines(profile.tree, profile.tables, 99).line.length).toBe(0);
  });

  it('never have more than everything', () => {
    const { tree, tables } = makeRecursion(10_000);
    expect(makeFunctionLines(tree, tables, 0)).toEqual({
      line: Uint32Array.of(3),
      self: Float64Array.of(10_000),
      total: Float64Array.of(10_000),
    });
  });
});

describe('the hottest lines', () => {
  it('are those with the most own time, with the function that spent it', () => {
    const lib = profile.tables.functions.file[profile.fn('f')];
    expect(hottestLines(profile.tree, profile.tables, 3)).toEqual([
      { function: profile.fn('old'), file: lib, line: 40, self: 128, total: 128 },
      { function: profile.fn('lambda'), file: lib, line: 5, self: 48, total: 48 },
      { function: profile.fn('g'), file: lib, line: 20, self: 8, total: 8 },
    ]);
  });

  it('are none where no line is known', () => {
    const { tree, tables } = makeProfile([[0, 'len', 3]]);
    expect(hottestLines(tree, tables, 3)).toEqual([]);
  });
});
