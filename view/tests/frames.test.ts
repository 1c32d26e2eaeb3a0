import { describe, expect, it } from 'vitest';
import { EVERY_FRAME, makeFrames } from '../src/model/frames';
import { draw, makeProfile, makeRecursion, type Profile } from './make_profile';
import type { FrameOptions } from '../src/model/types';

const frames = (profile: Profile, options: Partial<FrameOptions> = {}) =>
  makeFrames(profile.tree, profile.tables, { ...EVERY_FRAME, ...options });
const picture = (profile: Profile, options: Partial<FrameOptions> = {}) =>
  draw(frames(profile, options), profile);

describe('frames', () => {
  const merged = makeProfile([
    [0, 'main', 1, 2],
    [1, 'f', 2, 3],
    [2, 'g', 1, 8],
    [0, 'main', 0, 5],
    [1, 'f', 1, 9],
    [2, 'g', 2, 8],
    [1, 'h', 10],
  ]);

  it('merge positions into functions, the heaviest at the left, own time at the right', () => {
    expect(picture(merged)).toEqual([['main 0-17 1'], ['h 0-10 10', 'f 10-16 3'], ['g 10-13 3']]);
    const { parent, total, whole } = frames(merged);
    expect(parent).toEqual(Int32Array.of(-1, 0, 0, 2));
    expect(total).toEqual(Float64Array.of(17, 10, 6, 3));
    expect(whole).toBe(17);
  });

  it('are none in an empty profile, and none where all values are zero', () => {
    const none = frames(makeProfile([]));
    expect([none.count, none.whole, [...none.levels]]).toEqual([0, 0, [0]]);
    const zero = frames(
      makeProfile([
        [0, 'main', 0],
        [1, 'f', 0],
      ]),
    );
    expect([zero.count, zero.whole]).toEqual([0, 0]);
  });

  it('may be one', () => {
    expect(picture(makeProfile([[0, 'main', 3]]))).toEqual([['main 0-3 3']]);
  });

  it('leave out what is below zero', () => {
    const profile = makeProfile([
      [0, 'main', 2],
      [1, 'freed', -5],
      [1, 'kept', 3],
    ]);
    expect(picture(profile)).toEqual([['main 0-5 2'], ['kept 0-3 3']]);
  });

  it('may be ten thousand deep', () => {
    const deep = frames(makeRecursion(10_000));
    expect([deep.count, deep.levels.length, deep.right[9_999]]).toEqual([10_000, 10_001, 1]);
  });

  it('keep many children in order', () => {
    const rows = Array.from({ length: 100 }, (_, i) => [1, `f${i}`, 1 + ((i * 37) % 100)] as const);
    const wide = frames(makeProfile([[0, 'main', 0], ...rows]));
    const totals = [...wide.total.subarray(1)];
    expect(totals).toEqual(Array.from({ length: 100 }, (_, i) => 100 - i));
  });

  describe('with recursion collapsed', () => {
    it('are one, however deep', () => {
      expect(picture(makeRecursion(10_000), { collapseRecursion: true })).toEqual([['f 0-10000 10000']]);
    });

    it('take calls through others into the outer one, and keep what is between', () => {
      const profile = makeProfile([
        [0, 'main', 1],
        [1, 'f', 1],
        [2, 'g', 1],
        [3, 'f', 4],
        [4, 'h', 2],
        [1, 'f', 5],
      ]);
      expect(picture(profile, { collapseRecursion: true })).toEqual([
        ['main 0-14 1'],
        ['f 0-13 10'],
        ['h 0-2 2', 'g 2-3 1'],
      ]);
    });

    it('stay apart when neither is inside of the other', () => {
      const profile = makeProfile([
        [0, 'a', 0],
        [1, 'f', 2],
        [0, 'b', 0],
        [1, 'f', 1],
      ]);
      expect(picture(profile, { collapseRecursion: true })[1]).toEqual(['f 0-2 2', 'f 2-3 1']);
    });
  });

  describe('of own code only', () => {
    const library = { origin: 1, module: 'pandas' };
    const facts = {
      read_csv: library,
      parse: library,
      loads: { origin: 2 },
      c_loads: { origin: 3, module: 'lib.so' },
    };
    const profile = makeProfile(
      [
        [0, 'main', 1],
        [1, 'read_csv', 2],
        [2, 'parse', 3],
        [3, 'c_loads', 4],
        [2, 'callback', 5],
        [3, 'loads', 6],
        [4, 'c_loads', 7],
      ],
      facts,
    );

    it('show the library function that own code called, with all below as its own time', () => {
      expect(picture(profile, { ownCodeOnly: true })).toEqual([
        ['main 0-28 1'],
        ['read_csv 0-27 9'],
        ['callback 0-18 5'],
        ['loads 0-13 13'],
      ]);
    });

    it('begin with a library that called everything', () => {
      const started = makeProfile(
        [
          [0, 'loads', 1],
          [1, 'c_loads', 2],
          [2, 'work', 4],
        ],
        facts,
      );
      expect(picture(started, { ownCodeOnly: true })).toEqual([['loads 0-7 3'], ['work 0-4 4']]);
    });

    it('go together with hidden modules, which leave nothing', () => {
      expect(picture(profile, { ownCodeOnly: true, hiddenModules: ['pandas'] })).toEqual([
        ['main 0-28 6'],
        ['callback 0-18 5', 'c_loads 18-22 4'],
        ['loads 0-13 13'],
      ]);
    });

    it('leave a gap where a hidden module has no caller', () => {
      const { count, whole } = frames(makeProfile([[0, 'read_csv', 5]], facts), {
        hiddenModules: ['pandas'],
      });
      expect([count, whole]).toEqual([0, 5]);
    });
  });

  describe('below a root', () => {
    const profile = makeProfile([
      [0, 'main', 1],
      [1, 'f', 1],
      [2, 'f', 2],
      [3, 'g', 4],
      [1, 'g', 8],
      [0, 'f', 16],
    ]);

    it('are the sum over its outermost calls', () => {
      const root = profile.fn('f');
      expect(picture(profile, { root })).toEqual([['f 0-23 17'], ['f 0-6 2'], ['g 0-4 4']]);
      expect(frames(profile, { root }).whole).toBe(23);
      expect(picture(profile, { root, collapseRecursion: true })).toEqual([['f 0-23 19'], ['g 0-4 4']]);
    });

    it('are none where it does not occur', () => {
      const absent = frames(profile, { root: 99 });
      expect([absent.count, absent.whole]).toEqual([0, 0]);
    });

    it('show it even if its module is hidden', () => {
      const hidden = makeProfile([[0, 'f', 2]], { f: { module: 'm' } });
      expect(picture(hidden, { root: 0, hiddenModules: ['m'] })).toEqual([['f 0-2 2']]);
    });
  });

  it('below the cutoff of their parent are left out with all inside', () => {
    const profile = makeProfile([
      [0, 'main', 0],
      [1, 'large', 60],
      [1, 'medium', 39],
      [2, 'all of it', 30],
      [1, 'small', 0],
      [2, 'inside', 1],
    ]);
    expect(picture(profile, { cutoff: 0.1 })).toEqual([
      ['main 0-130 0'],
      ['medium 0-69 39', 'large 69-129 60'],
      ['all of it 0-30 30'],
    ]);
  });
});
