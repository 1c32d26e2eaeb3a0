import { describe, expect, it } from 'vitest';
import { EVERY_FRAME, makeFrames } from '../src/model/frames';
import { makeTimeOrder } from '../src/model/time_order';
import { findPath, formatPath, pathTo } from '../src/screens/flame/frame_path';
import { makeProfile, makeRecursion } from './make_profile';

const profile = makeProfile([
  [0, 'main', 10],
  [1, 'solve', 20],
  [2, 'dot', 40],
  [1, 'load', 30],
]);
const frames = makeFrames(profile.tree, profile.tables, EVERY_FRAME);

describe('the path to a frame', () => {
  it('is found again', () => {
    for (let row = 0; row < frames.count; ++row) {
      expect(findPath(frames, formatPath(frames, row))).toBe(row);
    }
    expect(formatPath(frames, 3)).toBe('0.1.2');
    expect(pathTo(frames, 3)).toEqual([0, 1, 3]);
  });

  it('leads to the nearest caller where the frame is gone', () => {
    expect(findPath(frames, '0.1.3')).toBe(1);
    expect(findPath(frames, '0.zz')).toBe(0);
    expect(findPath(frames, '5')).toBe(-1);
  });

  it('that is damaged leads as far as it can be read', () => {
    expect(findPath(frames, '')).toBe(-1);
    expect(findPath(frames, '<script>')).toBe(-1);
    expect(findPath(frames, '0.1.<')).toBe(1);
    expect(findPath(frames, '0*999999')).toBe(0);
  });

  it('of deep recursion stays short', () => {
    const { tree, tables } = makeRecursion(10_000);
    const deep = makeFrames(tree, tables, EVERY_FRAME);
    expect(formatPath(deep, 9_999)).toBe('0*10000');
    expect(findPath(deep, '0*10000')).toBe(9_999);
  });

  it('that would be too long is a row', () => {
    const { tree, tables } = makeProfile(
      Array.from({ length: 3000 }, (_, i) => [i, `f${i % 2}`, 1] as const),
    );
    const deep = makeFrames(tree, tables, EVERY_FRAME);
    expect(formatPath(deep, 2_999)).toBe('_2999');
    expect(findPath(deep, '_2999')).toBe(2_999);
    expect(findPath(deep, '_5000')).toBe(2_999);
  });

  it('tells moments of the same function apart', () => {
    const samples = {
      thread: 0,
      time: Float64Array.from([0, 1, 2]),
      node: Uint32Array.from([1, 3, 1]),
      weight: Float64Array.from([1e9, 1e9, 1e9]),
    };
    const timed = makeTimeOrder(profile.tree, profile.tables, samples, EVERY_FRAME);
    const paths = Array.from({ length: timed.count }, (_, row) => formatPath(timed, row));
    expect(paths).toEqual(['0', '0.1', '0.3', '0.1-1']);
    expect(paths.map((path) => findPath(timed, path))).toEqual([0, 1, 2, 3]);
  });
});
