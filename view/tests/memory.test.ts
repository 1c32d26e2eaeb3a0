import { describe, expect, it } from 'vitest';
import type { Counter, TimelineValues } from '../src/data/types';
import { markedFunctions } from '../src/screens/memory/marked_functions';
import { linesTitle, ownersTitle } from '../src/screens/memory/memory_words';
import { makeMetric } from './fake_source';
import { makeProfile } from './make_profile';

const { tables } = makeProfile([]);
const values = (...list: number[]) => Float64Array.from(list);

const counter = (
  process: number,
  name: string,
  points: [number, number][],
  unit: 'bytes' | 'count' = 'bytes',
): Counter => ({
  process,
  name,
  unit,
  time: Float64Array.from(points, ([time]) => time),
  value: Float64Array.from(points, ([, value]) => value),
});

function timelineOf(counters: Counter[], regions: [string, number, number][] = []): TimelineValues {
  const names = [...new Set(regions.map(([name]) => name))];
  return {
    by: 'process',
    from: 0,
    to: 10,
    buckets: 1,
    categories: [],
    omitted: 0,
    track: new Uint32Array(0),
    activity: new Float32Array(0),
    regions: {
      names,
      thread: new Uint32Array(regions.length),
      name: Uint32Array.from(regions, ([name]) => names.indexOf(name)),
      depth: new Uint32Array(regions.length),
      start: Float64Array.from(regions, ([, start]) => start),
      duration: Float64Array.from(regions, ([, , duration]) => duration),
    },
    counters,
  };
}

describe('functions that were measured at both ends', () => {
  it('add up what each call added, the largest first', () => {
    const rows = markedFunctions(
      timelineOf(
        [
          counter(0, 'grow', [
            [1, 100],
            [2, 150],
            [3, 150],
            [4, 220],
          ]),
          counter(0, 'free', [
            [5, 220],
            [6, 120],
          ]),
        ],
        [
          ['free', 5, 1],
          ['grow', 1, 1],
          ['grow', 3, 1],
          ['unmeasured', 0, 9],
        ],
      ),
      tables,
    );
    expect(rows).toEqual([
      {
        name: 'grow',
        process: 0,
        calls: 2,
        duration: 2,
        increment: 120,
        largest: 70,
        before: 100,
        after: 220,
      },
      {
        name: 'free',
        process: 0,
        calls: 1,
        duration: 1,
        increment: -100,
        largest: -100,
        before: 220,
        after: 120,
      },
    ]);
  });

  it('count calls whose ends are not known as nothing', () => {
    const rows = markedFunctions(timelineOf([counter(0, 'grow', [[1, 100]])], [['grow', 1, 5]]), tables);
    expect(rows.map((row) => row.increment)).toEqual([0]);
  });
});

describe('what stands out', () => {
  const profile = makeProfile(
    [
      [0, 'load', 3e6, 12],
      [0, 'solve', 1e6, 40],
    ],
    {
      load: { file: '/io.py', line: 10 },
      solve: { file: '/solver.py', line: 30 },
    },
  );
  const lines = (increment: number[]) => ({
    function: Uint32Array.of(0, 1),
    line: Uint32Array.of(12, 40),
    hits: values(1, 1),
    time: values(0, 0),
    self: values(0, 0),
    increment: Float64Array.from(increment),
  });

  it('is the line that added most', () => {
    expect(linesTitle(lines([5, 2 ** 20]), profile.tables)).toBe(
      'solver.py:40 added 1.00 MiB, more than any other line',
    );
    expect(linesTitle(lines([0, -5]), profile.tables)).toBe('No line added memory');
  });

  it('is who has most of it', () => {
    const metric = makeMetric('allocated', 'bytes');
    expect(ownersTitle(metric, profile.tree, profile.tables)).toBe(
      'load at io.py:12 has the most: 2.86 MiB (75 %)',
    );
    const none = makeProfile([]);
    expect(ownersTitle(metric, none.tree, none.tables)).toBe('Allocated time');
  });
});
