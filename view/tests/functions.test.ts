import { describe, expect, it } from 'vitest';
import { groupName, groupRows, makeFunctionRows } from '../src/model/functions';
import { NONE } from '../src/data/types';
import { makeProfile, makeRecursion } from './make_profile';

const profile = makeProfile(
  [
    [0, 'main', 1],
    [1, 'f', 2],
    [2, 'g', 3],
    [3, 'f', 4],
    [1, 'g', 5],
    [1, 'unused', 0],
  ],
  {
    main: { file: '/a/run.py', module: 'run' },
    f: { file: '/a/lib.py', module: 'lib' },
    g: { file: '/a/lib.py', module: 'lib' },
    len: { module: 'builtins' },
  },
);

describe('functions', () => {
  it('have their own time and that of what they call, recursion once', () => {
    const rows = makeFunctionRows(profile.tree);
    expect(
      [...rows.function].map((fn) => profile.tables.texts.get(profile.tables.functions.name[fn])),
    ).toEqual(['main', 'f', 'g']);
    expect(rows.self).toEqual(Float64Array.of(1, 6, 8));
    // g is inside f once and beside it once.
    expect(rows.total).toEqual(Float64Array.of(15, 9, 12));
  });

  it('never have more than everything, however deep', () => {
    const { tree } = makeRecursion(10_000);
    const rows = makeFunctionRows(tree);
    expect([rows.function.length, rows.self[0], rows.total[0]]).toEqual([1, 10_000, 10_000]);
  });

  it('are none in an empty profile and where all values are zero', () => {
    expect(makeFunctionRows(makeProfile([]).tree).function.length).toBe(0);
    expect(makeFunctionRows(makeProfile([[0, 'main', 0]]).tree).function.length).toBe(0);
  });
});

describe('groups', () => {
  const rows = makeFunctionRows(profile.tree);

  it('count a path once where it enters them', () => {
    const files = groupRows(rows, profile.tables, 'file');
    expect([...files.key].map((key) => groupName(profile.tables, 'file', key))).toEqual(['run.py', 'lib.py']);
    expect(files.self).toEqual(Float64Array.of(1, 14));
    expect(files.total).toEqual(Float64Array.of(15, 14));
    expect(files.members).toEqual(Uint32Array.of(1, 2));
    const modules = groupRows(rows, profile.tables, 'module');
    expect([...modules.key].map((key) => groupName(profile.tables, 'module', key))).toEqual(['run', 'lib']);
    expect(modules.total).toEqual(Float64Array.of(15, 14));
  });

  it('of one function each are the functions', () => {
    const functions = groupRows(rows, profile.tables, 'function');
    expect(functions.key).toEqual(rows.function);
    expect(functions.total).toEqual(rows.total);
    expect(groupName(profile.tables, 'function', profile.fn('g'))).toBe('g');
  });

  it('without paths have as much as is certain', () => {
    const recorded = { function: rows.function, self: rows.self, total: rows.total };
    const files = groupRows(recorded, profile.tables, 'file');
    expect(files.total).toEqual(Float64Array.of(15, 14)); // f and g: 6 + 8 of their own
    const heavy = { ...recorded, total: Float64Array.of(15, 9, 14.5) };
    expect(groupRows(heavy, profile.tables, 'file').total[1]).toBe(14.5);
  });

  it('may have no file', () => {
    const builtin = makeProfile([[0, 'len', 2]]);
    const files = groupRows(makeFunctionRows(builtin.tree), builtin.tables, 'file');
    expect([files.key[0], groupName(builtin.tables, 'file', files.key[0])]).toEqual([NONE, '']);
  });
});
