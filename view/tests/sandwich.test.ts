import { describe, expect, it } from 'vitest';
import { calleesOf, callersOf, makeCallees, makeCallers } from '../src/model/sandwich';
import { draw, makeProfile, makeRecursion } from './make_profile';

const profile = makeProfile([
  [0, 'main', 1],
  [1, 'a', 1],
  [2, 'f', 2],
  [3, 'g', 4],
  [4, 'f', 8],
  [5, 'g', 16],
  [1, 'b', 1],
  [2, 'f', 32],
]);
const f = profile.fn('f');
const named = (rows: readonly { function: number; total: number; self: number }[]) =>
  rows.map((row) => [
    profile.tables.texts.get(profile.tables.functions.name[row.function]),
    row.total,
    row.self,
  ]);

describe('callers', () => {
  it('share the total of the function', () => {
    expect(named(callersOf(profile.tree, f))).toEqual([
      ['b', 32, 32],
      ['a', 30, 10],
    ]);
  });

  it('are none of a root, and none of a function that was not called', () => {
    expect(callersOf(profile.tree, profile.fn('main'))).toEqual([]);
    expect(callersOf(profile.tree, 99)).toEqual([]);
  });

  it('make a tree that grows upwards', () => {
    expect(draw(makeCallers(profile.tree, profile.tables, f, 9), profile)).toEqual([
      ['f 0-62 0'],
      ['b 0-32 0', 'a 32-62 0'],
      ['main 0-32 32', 'main 32-62 30'],
    ]);
    expect(draw(makeCallers(profile.tree, profile.tables, f, 2), profile)).toEqual([
      ['f 0-62 0'],
      ['b 0-32 32', 'a 32-62 30'],
    ]);
  });
});

describe('callees', () => {
  it('have what they cost when the function called them, recursion once', () => {
    expect(named(calleesOf(profile.tree, f))).toEqual([['g', 28, 20]]);
    expect(named(calleesOf(profile.tree, profile.fn('g')))).toEqual([['f', 24, 8]]);
  });

  it('make a tree that grows downwards', () => {
    expect(draw(makeCallees(profile.tree, profile.tables, f, 2), profile)).toEqual([
      ['f 0-62 34'],
      ['g 0-28 4'],
    ]);
    expect(makeCallees(profile.tree, profile.tables, f, 0).count).toBe(0);
  });

  it('of direct recursion are the function itself', () => {
    const deep = makeRecursion(10_000);
    expect(calleesOf(deep.tree, 0)).toEqual([{ function: 0, total: 9_999, self: 9_999 }]);
    expect(callersOf(deep.tree, 0)).toEqual([]);
  });
});
