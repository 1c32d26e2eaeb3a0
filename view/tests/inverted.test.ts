import { describe, expect, it } from 'vitest';
import { EVERY_FRAME } from '../src/model/frames';
import { makeInverted } from '../src/model/inverted';
import { draw, makeProfile, makeRecursion, type Profile } from './make_profile';
import type { FrameOptions } from '../src/model/types';

const inverted = (profile: Profile, options: Partial<FrameOptions> & { minimumShare?: number } = {}) =>
  makeInverted(profile.tree, profile.tables, { ...EVERY_FRAME, minimumShare: 0, ...options });

const profile = makeProfile([
  [0, 'main', 1],
  [1, 'a', 0],
  [2, 'dot', 5, 3],
  [2, 'dot', 1, 4],
  [1, 'b', 2],
  [2, 'dot', 3],
]);

describe('an inverted tree', () => {
  it('has leaves at the root level and callers below', () => {
    expect(draw(inverted(profile), profile)).toEqual([
      ['dot 0-9 0', 'b 9-11 0', 'main 11-12 1'],
      ['a 0-6 0', 'b 6-9 0', 'main 9-11 2'],
      ['main 0-6 6', 'main 6-9 3'],
    ]);
    expect(inverted(profile).whole).toBe(12);
  });

  it('leaves out what is too small, and says so by free space', () => {
    expect(draw(inverted(profile, { minimumShare: 0.3 }), profile)).toEqual([
      ['dot 0-9 3'],
      ['a 0-6 0'],
      ['main 0-6 6'],
    ]);
  });

  it('obeys the same options as frames', () => {
    expect(draw(inverted(profile, { root: profile.fn('b') }), profile)).toEqual([
      ['dot 0-3 0', 'b 3-5 2'],
      ['b 0-3 3'],
    ]);
    const deep = makeRecursion(10_000);
    expect(draw(inverted(deep, { collapseRecursion: true }), deep)).toEqual([['f 0-10000 10000']]);
  });

  it('of very deep recursion ends in time', () => {
    const deep = inverted(makeRecursion(60_000), { minimumShare: 1 / 2000 });
    expect(deep.count).toBeGreaterThan(100);
    expect(deep.count).toBeLessThanOrEqual(200_000);
    expect([deep.total[0], deep.total[1]]).toEqual([60_000, 59_999]);
  });

  it('is empty where nothing was measured', () => {
    expect(inverted(makeProfile([])).count).toBe(0);
    expect(inverted(makeProfile([[0, 'main', 0]])).count).toBe(0);
  });
});
