import { describe, expect, it } from 'vitest';
import { EVERY_FRAME, makeFrames } from '../src/model/frames';
import {
  boxAt,
  childrenOf,
  firstEndingAfter,
  heaviestFrame,
  levelOf,
  subtreeOf,
  visitBoxes,
} from '../src/screens/flame/levels';
import { framesInSight, sortFrames } from '../src/screens/flame/frame_rows';
import { moveFrom, type Move } from '../src/screens/flame/moves';
import { makeProfile, makeRecursion } from './make_profile';

// main 100: solve 60 (dot 40), load 30 (read 30); its own 10
const profile = makeProfile(
  [
    [0, 'main', 10],
    [1, 'solve', 20],
    [2, 'dot', 40],
    [1, 'load', 0],
    [2, 'read', 30],
  ],
  { dot: { file: 'a.py', line: 3 }, read: { file: 'b.py', line: 1 } },
);
const frames = makeFrames(profile.tree, profile.tables, EVERY_FRAME);
const [MAIN, SOLVE, LOAD, DOT, READ] = [0, 1, 2, 3, 4];
const deep = makeFrames(makeRecursion(10_000).tree, makeRecursion(10_000).tables, EVERY_FRAME);
const none = makeFrames(makeProfile([]).tree, makeProfile([]).tables, EVERY_FRAME);

describe('levels', () => {
  it('knows the level of every row', () => {
    expect([MAIN, SOLVE, LOAD, DOT, READ].map((row) => levelOf(frames, row))).toEqual([0, 1, 1, 2, 2]);
    expect(levelOf(deep, 9_999)).toBe(9_999);
  });

  it('finds children, also where there are none', () => {
    expect(childrenOf(frames, MAIN)).toEqual([SOLVE, LOAD + 1]);
    expect(childrenOf(frames, LOAD)).toEqual([READ, READ + 1]);
    const [from, to] = childrenOf(frames, DOT);
    expect(to - from).toBe(0);
  });

  it('finds the first box that reaches beyond a place', () => {
    const right = Float64Array.from([10, 20, 20, 35]);
    expect([0, 10, 19, 20, 35].map((x) => firstEndingAfter(right, 0, 4, x))).toEqual([0, 1, 1, 3, 4]);
  });
});

describe('the heaviest frame of a function', () => {
  it('is found, also in recursion', () => {
    expect(heaviestFrame(frames, profile.fn('read'))).toBe(READ);
    expect(heaviestFrame(deep, 0)).toBe(0);
    expect(heaviestFrame(frames, 99)).toBe(-1);
    expect(heaviestFrame(frames, null)).toBe(-1);
  });
});

describe('a subtree', () => {
  it('is everything without a root', () => {
    const all = subtreeOf(frames, -1);
    expect([...all.from]).toEqual([0, 1, 3]);
    expect([...all.to]).toEqual([1, 3, 5]);
    expect(all.bounds).toEqual({ left: 0, right: 100 });
  });

  it('holds what is below its root, and nothing beside it', () => {
    const load = subtreeOf(frames, LOAD);
    expect(load).toMatchObject({ firstLevel: 1, depth: 2, bounds: { left: 60, right: 90 } });
    expect([...load.from]).toEqual([LOAD, READ]);
    expect([...load.to]).toEqual([LOAD + 1, READ + 1]);
  });

  it('of nothing is empty, and of a root that is not there everything', () => {
    expect(subtreeOf(none, -1)).toMatchObject({ depth: 0, bounds: { left: 0, right: 1 } });
    expect(subtreeOf(frames, 99).depth).toBe(3);
  });

  it('goes ten thousand levels down', () => {
    expect(subtreeOf(deep, 4_000).depth).toBe(6_000);
  });
});

describe('what is in sight', () => {
  const seen = (left: number, right: number, width: number, level = 1) => {
    const { from, to } = subtreeOf(frames, -1);
    const found: [number, number, number][] = [];
    visitBoxes(frames, from[level], to[level], { left, right }, width, (row, x0, x1) =>
      found.push([row, x0, x1]),
    );
    return found;
  };

  it('has its edges in pixels, also beyond the picture', () => {
    expect(seen(0, 100, 200)).toEqual([
      [SOLVE, 0, 120],
      [LOAD, 120, 180],
    ]);
    expect(seen(50, 70, 100)).toEqual([
      [SOLVE, -250, 50],
      [LOAD, 50, 200],
    ]);
    expect(seen(92, 99, 100)).toEqual([]);
  });

  it('shows one box for all in a pixel', () => {
    const many = makeProfile(Array.from({ length: 1000 }, (_, i) => [0, `f${i}`, 1] as const));
    const crowd = makeFrames(many.tree, many.tables, EVERY_FRAME);
    const pixels: number[] = [];
    visitBoxes(crowd, 0, 1000, { left: 0, right: 1000 }, 10, (_, x0) => pixels.push(x0));
    expect(pixels).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is found under the pointer', () => {
    expect(boxAt(frames, 1, 3, 59.9)).toBe(SOLVE);
    expect(boxAt(frames, 1, 3, 60)).toBe(LOAD);
    expect(boxAt(frames, 1, 3, 95)).toBe(-1);
  });
});

describe('moving with the keyboard', () => {
  const all = subtreeOf(frames, -1);
  const go = (row: number, ...moves: Move[]) =>
    moves.reduce((at, move) => moveFrom(frames, all, 2, at, move), row);

  it('begins at the first box', () => {
    expect(go(-1, 'callee')).toBe(MAIN);
    expect(moveFrom(none, subtreeOf(none, -1), 0, -1, 'after')).toBe(-1);
  });

  it('goes to callers, callees and neighbours, and stops at the ends', () => {
    expect(go(MAIN, 'callee')).toBe(SOLVE);
    expect(go(SOLVE, 'after', 'callee')).toBe(READ);
    expect(go(READ, 'before')).toBe(DOT);
    expect(go(READ, 'after')).toBe(READ);
    expect(go(READ, 'caller', 'caller', 'caller')).toBe(MAIN);
    expect(go(LOAD, 'first', 'last')).toBe(LOAD);
  });

  it('does not leave what is drawn', () => {
    expect(moveFrom(frames, all, 1, SOLVE, 'callee')).toBe(SOLVE);
    const load = subtreeOf(frames, LOAD);
    expect(moveFrom(frames, load, 2, LOAD, 'caller')).toBe(LOAD);
    expect(moveFrom(frames, load, 2, DOT, 'after')).toBe(LOAD);
  });
});

describe('the table of a picture', () => {
  const all = subtreeOf(frames, -1);
  const rows = (left: number, right: number, least: number, depth = 9) =>
    framesInSight(frames, all, depth, { left, right }, least);

  it('lists what is in sight and says when boxes are missing', () => {
    expect([...rows(0, 100, 0).rows]).toEqual([MAIN, SOLVE, LOAD, DOT, READ]);
    expect(rows(0, 100, 0).narrower).toBe(false);
    expect([...rows(0, 100, 0.35).rows]).toEqual([MAIN, SOLVE, DOT]);
    expect(rows(0, 100, 0.35).narrower).toBe(true);
    expect([...rows(65, 80, 0).rows]).toEqual([MAIN, LOAD, READ]);
    expect([...rows(0, 100, 0, 2).rows]).toEqual([MAIN, SOLVE, LOAD]);
  });

  it('is sorted by any column, ties as drawn', () => {
    const sorted = (column: string, isDescending: boolean) => [
      ...sortFrames(rows(0, 100, 0).rows, frames, profile.tables, { column, isDescending }),
    ];
    expect(sorted('total', true)).toEqual([MAIN, SOLVE, DOT, LOAD, READ]);
    expect(sorted('self', false)).toEqual([LOAD, MAIN, SOLVE, READ, DOT]);
    expect(sorted('name', false)).toEqual([DOT, LOAD, MAIN, READ, SOLVE]);
    expect(sorted('place', true).slice(0, 2)).toEqual([READ, DOT]);
  });
});
