import { describe, expect, it } from 'vitest';
import type { Counter, TimelineValues } from '../src/data/types';
import { peakOf } from '../src/screens/memory/curves';
import { markedFunctions, memoryCurves, sumOfCurves, thinOut } from '../src/screens/memory/memory_curves';
import { linesTitle, ownersTitle } from '../src/screens/memory/memory_title';
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

describe('curves of memory', () => {
  it('are counters of bytes that are not a region’s ends, the highest first', () => {
    const curves = memoryCurves(
      timelineOf(
        [
          counter(0, 'memory', [
            [0, 5],
            [1, 9],
            [2, 7],
          ]),
          counter(1, 'memory', [[0, 50]]),
          counter(0, 'grow', [
            [0, 5],
            [1, 9],
          ]),
          counter(0, 'threads', [[0, 4]], 'count'),
          counter(2, 'memory', []),
        ],
        [['grow', 0, 1]],
      ),
      tables,
    );
    expect(curves.map((curve) => [curve.process, curve.value[curve.peak], curve.time[curve.peak]])).toEqual([
      [1, 50, 0],
      [0, 9, 1],
    ]);
  });

  it('together: each process counts from its first value to its last', () => {
    const curves = memoryCurves(
      timelineOf([
        counter(0, 'memory', [
          [0, 10],
          [4, 20],
          [8, 5],
        ]),
        counter(1, 'memory', [
          [2, 100],
          [4, 110],
        ]),
      ]),
      tables,
    );
    const sum = sumOfCurves(curves);
    expect([...sum.time].map((time) => Math.round(time))).toEqual([0, 2, 4, 4, 8]);
    expect(sum.value).toEqual(values(10, 110, 130, 20, 5));
    expect(peakOf(curves)).toEqual({ time: 4, value: 130 });
    expect(peakOf([])).toBeNull();
    expect(peakOf(curves.slice(0, 1))).toEqual({ time: 4, value: 110 });
  });

  it('keep their peaks and valleys when they are thinned out', () => {
    const time = Float64Array.from({ length: 10_000 }, (_, i) => i);
    const value = time.map((i) => (i === 7777 ? 1000 : i === 1234 ? -5 : 10));
    const thin = thinOut(time, value, 100);
    expect(thin.time.length).toBeLessThanOrEqual(100);
    expect(Math.max(...thin.value)).toBe(1000);
    expect(Math.min(...thin.value)).toBe(-5);
    expect([...thin.time]).toEqual([...thin.time].sort((a, b) => a - b));
    expect(thinOut(time, value, 20_000).time).toBe(time);
  });
});

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
