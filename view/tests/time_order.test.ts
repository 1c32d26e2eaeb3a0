import { describe, expect, it } from 'vitest';
import type { TimedSamples } from '../src/data/decode_answers';
import { EVERY_FRAME } from '../src/model/frames';
import { makeTimeOrder } from '../src/model/time_order';
import { draw, makeProfile, makeRecursion } from './make_profile';

const profile = makeProfile([
  [0, 'main', 0, 1],
  [1, 'f', 0, 2],
  [1, 'f', 0, 3],
  [2, 'g', 0],
]);

// Each sample: time in s, node, weight in s.
const samplesOf = (...rows: (readonly [number, number, number])[]): TimedSamples => ({
  thread: 0,
  time: Float64Array.from(rows, ([time]) => time),
  node: Uint32Array.from(rows, ([, node]) => node),
  weight: Float64Array.from(rows, ([, , weight]) => 1e9 * weight),
});

const order = (samples: TimedSamples, options = EVERY_FRAME) =>
  makeTimeOrder(profile.tree, profile.tables, samples, options);

describe('time order', () => {
  it('joins what neighbours have in common', () => {
    const frames = order(samplesOf([10, 0, 1], [11, 1, 1], [12, 3, 1], [13, 0, 1]));
    expect(draw(frames, profile)).toEqual([
      ['main 0-4 2000000000'],
      ['f 1-3 1000000000'], // another line of f is the same call
      ['g 2-3 1000000000'],
    ]);
    expect([frames.start, frames.whole, frames.hiddenLevels]).toEqual([10, 4, 0]);
    expect(frames.total).toEqual(Float64Array.of(4e9, 2e9, 1e9));
    expect(frames.parent).toEqual(Int32Array.of(-1, 0, 1));
  });

  it('begins anew after a gap', () => {
    const frames = order(samplesOf([0, 1, 1], [5, 1, 2]));
    expect(draw(frames, profile)).toEqual([
      ['main 0-1 0', 'main 5-7 0'],
      ['f 0-1 1000000000', 'f 5-7 2000000000'],
    ]);
  });

  it('goes by the ends that samples have, whatever they weigh', () => {
    const frames = order({ ...samplesOf([0, 1, 0.1], [2, 1, 0.1]), end: Float64Array.of(2, 3) });
    expect(draw(frames, profile)[0]).toEqual(['main 0-3 0']);
    expect(frames.total[0]).toBeCloseTo(0.2e9);
  });

  it('puts samples in order, each beginning where the last one ended', () => {
    const samples = samplesOf([3, 1, 1], [0.5, 3, 1.5], [0, 0, 1]);
    const frames = order({ ...samples, end: Float64Array.of(4, 2, 1) });
    expect(draw(frames, profile)).toEqual([
      ['main 0-2 1000000000', 'main 3-4 0'],
      ['f 1-2 0', 'f 3-4 1000000000'],
      ['g 1-2 1500000000'],
    ]);
    expect(frames.total[0]).toBe(2.5e9);
  });

  it('lets a sample without an end last until the next one at most', () => {
    expect(draw(order(samplesOf([0, 0, 5], [1, 1, 1])), profile)[0]).toEqual(['main 0-2 5000000000']);
  });

  it('closes gaps that are only jitter', () => {
    const frames = order(samplesOf([0, 1, 0.0099], [0.01, 1, 0.02]));
    expect(frames.count).toBe(2);
  });

  it('obeys the same options as frames', () => {
    const rooted = order(samplesOf([0, 0, 1], [1, 3, 1]), { ...EVERY_FRAME, root: profile.fn('f') });
    expect(draw(rooted, profile)).toEqual([['f 1-2 0'], ['g 1-2 1000000000']]);
    expect(rooted.whole).toBe(2);
  });

  it('is empty without samples, and ignores positions that do not exist', () => {
    const none = order(samplesOf());
    expect([none.count, none.whole, none.start]).toEqual([0, 0, 0]);
    expect(order(samplesOf([0, 99, 1])).count).toBe(0);
  });

  it('leaves out the deepest levels where the boxes would be too many', () => {
    const deep = makeRecursion(10_000);
    const swings = Array.from({ length: 1001 }, (_, i) => [i, i % 2 === 0 ? 9_999 : 0, 1] as const);
    const frames = makeTimeOrder(deep.tree, deep.tables, samplesOf(...swings), EVERY_FRAME);
    expect(frames.count).toBeLessThanOrEqual(4_000_000);
    expect(frames.levels.length - 1 + frames.hiddenLevels).toBe(10_000);
    expect(frames.hiddenLevels).toBeGreaterThan(0);
    expect(frames.total[0]).toBe(1001e9);
  });
});
