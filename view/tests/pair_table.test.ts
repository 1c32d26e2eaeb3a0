import { describe, expect, it } from 'vitest';
import { PairTable } from '../src/model/pair_table';

describe.each([false, true])('a table of pairs (near: %s)', (isNear) => {
  it('numbers pairs in the order of their first appearance', () => {
    const table = new PairTable(0, isNear);
    expect([
      table.put(1, 2),
      table.put(2, 1),
      table.put(1, 2),
      table.put(0, 0),
      table.put(0xffffffff, 0xffffffff),
      table.put(0xffffffff, 0xffffffff),
    ]).toEqual([0, 1, 0, 2, 3, 3]);
    expect([...table.first.subarray(0, table.count)]).toEqual([1, 2, 0, 0xffffffff]);
    expect([...table.second.subarray(0, table.count)]).toEqual([2, 1, 0, 0xffffffff]);
  });

  it('grows, and knows all of them after that', () => {
    const table = new PairTable(0, isNear);
    const pairs = Array.from({ length: 20_000 }, (_, i) => [i % 173, Math.floor(i / 173)] as const);
    for (const pair of pairs) table.put(...pair);
    expect(table.count).toBe(20_000);
    expect(pairs.every((pair, i) => table.put(...pair) === i)).toBe(true);
  });

  it('holds many pairs with one first number', () => {
    const table = new PairTable(0, isNear);
    for (let i = 0; i < 200_000; ++i) table.put(7, i);
    expect([table.count, table.put(7, 123_456)]).toEqual([200_000, 123_456]);
  });
});
