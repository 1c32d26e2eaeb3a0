import { describe, expect, it } from 'vitest';
import { pathsOfFrames } from '../src/model/frame_paths';
import { EVERY_FRAME, makeFrames } from '../src/model/frames';
import { makeFunctionRows } from '../src/model/functions';
import { makeProfile, makeRecursion } from './make_profile';

describe('frames as paths', () => {
  const profile = makeProfile(
    [
      [0, 'main', 1],
      [1, 'a', 2],
      [2, 'lib', 4],
      [3, 'inner', 8],
      [1, 'b', 16],
    ],
    { main: {}, a: {}, b: {}, lib: { origin: 1 }, inner: { origin: 1 } },
  );

  it('are in pre-order with their subtrees', () => {
    const paths = pathsOfFrames(makeFrames(profile.tree, profile.tables, EVERY_FRAME));
    const names = Array.from(paths.function, (fn) =>
      profile.tables.texts.get(profile.tables.functions.name[fn]),
    );
    expect(names).toEqual(['main', 'b', 'a', 'lib', 'inner']);
    expect([...paths.parent]).toEqual([-1, 0, 0, 2, 3]);
    expect([...paths.end]).toEqual([5, 2, 5, 5, 5]);
    expect([...paths.self]).toEqual([1, 16, 2, 4, 8]);
    expect([...paths.total]).toEqual([31, 16, 14, 12, 8]);
    expect(paths.whole).toBe(31);
  });

  it('count what was folded for the function that called it', () => {
    const own = { ...EVERY_FRAME, ownCodeOnly: true };
    const rows = makeFunctionRows(pathsOfFrames(makeFrames(profile.tree, profile.tables, own)));
    const lib = rows.function.indexOf(profile.fn('lib'));
    expect(rows.self[lib]).toBe(12); // with inner
    expect([...rows.function]).not.toContain(profile.fn('inner'));
  });

  it('may be none, or very deep', () => {
    const none = makeProfile([]);
    expect(pathsOfFrames(makeFrames(none.tree, none.tables, EVERY_FRAME)).count).toBe(0);
    const deep = makeRecursion(60_000);
    const paths = pathsOfFrames(makeFrames(deep.tree, deep.tables, EVERY_FRAME));
    expect(paths.count).toBe(60_000);
    expect(paths.total[0]).toBe(60_000);
  });
});
