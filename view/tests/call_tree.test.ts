import { describe, expect, it } from 'vitest';
import { makeCallTree } from '../src/model/call_tree';
import { makeProfile, makeRecursion } from './make_profile';

describe('a call tree', () => {
  it('adds up values and knows where subtrees end', () => {
    const { tree } = makeProfile([
      [0, 'main', 1],
      [1, 'a', 2],
      [2, 'b', 3],
      [1, 'c', 4],
      [0, 'other', 5],
    ]);
    expect(tree.total).toEqual(Float64Array.of(10, 5, 3, 4, 5));
    expect(tree.end).toEqual(Uint32Array.of(4, 3, 3, 4, 5));
    expect(tree.whole).toBe(15);
  });

  it('may be empty', () => {
    const { tree } = makeProfile([]);
    expect([tree.count, tree.whole]).toEqual([0, 0]);
  });

  it('takes what is no number for nothing', () => {
    const { tree } = makeProfile([
      [0, 'main', Number.NaN],
      [1, 'a', Infinity],
      [1, 'b', 3],
    ]);
    expect(tree.total).toEqual(Float64Array.of(3, 0, 3));
    expect(tree.self).toEqual(Float64Array.of(0, 0, 3));
  });

  it('may be ten thousand deep', () => {
    const { tree } = makeRecursion(10_000);
    expect([tree.total[0], tree.total[9_999], tree.end[5_000]]).toEqual([10_000, 1, 10_000]);
  });

  it('refuses values of another profile', () => {
    const { tables } = makeProfile([[0, 'main', 1]]);
    expect(() => makeCallTree(tables, new Float64Array(2))).toThrow('another profile');
  });
});
