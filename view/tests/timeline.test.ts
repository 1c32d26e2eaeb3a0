import { describe, expect, it } from 'vitest';
import type { Tables, TimelineValues } from '../src/data/types';
import { bucketAt, highestActivity, secondsByCategory, valueAt } from '../src/screens/timeline/activity';
import { categoryToken, categoryWords } from '../src/screens/timeline/categories';
import { curvePoints, listRegions, sumCurve, sumCurves } from '../src/screens/timeline/curves_and_regions';
import { describeMoment } from '../src/screens/timeline/describe';
import { curveSpan, timelineColours } from '../src/screens/timeline/paint_timeline';
import { readRange } from '../src/screens/timeline/range_fields';
import { defaultBy, layoutRows, lifeOf, regionAt, rowAt } from '../src/screens/timeline/rows';
import { timelineSvg } from '../src/screens/timeline/timeline_svg';
import { sortTracks, sumRows, sumTracks } from '../src/screens/timeline/track_table';
import { makeProfile } from './make_profile';

const NAMES = ['main', 'worker', 'rank 0', '<b>evil</b>', 'node1', ''];
const u32 = (...values: number[]) => Uint32Array.from(values);
const f64 = (...values: number[]) => Float64Array.from(values);

// Two processes, a main thread and a worker in the first, a main thread in the second.
const tables: Tables = {
  ...makeProfile([]).tables,
  texts: { count: NAMES.length, get: (index) => NAMES[index] ?? '' },
  threads: {
    count: 3,
    process: u32(0, 0, 1),
    name: u32(0, 1, 5),
    class: Uint8Array.from([0, 1, 0]),
    start: f64(0, 1, 0),
    end: f64(4, 3, 4),
  },
  processes: {
    count: 2,
    rank: Int32Array.from([0, 1]),
    host: u32(4, 4),
    pid: f64(11, 12),
    start: f64(0, 0),
    duration: f64(4, 3.5),
    status: Uint8Array.from([0, 1]),
  },
};

// Four buckets of a second; python, then waiting for the GIL.
const values: TimelineValues = {
  by: 'thread',
  from: 0,
  to: 4,
  buckets: 4,
  categories: ['python', 'gil-wait'],
  omitted: 0,
  track: u32(0, 1),
  activity: Float32Array.from([1, 0.5, 0.5, 0, 0, 0.5, 0.25, 0, 0, 1, 1, 0, 0, 0, 0, 0]),
  regions: {
    names: ['setup', '<b>evil</b>'],
    thread: u32(0, 0),
    name: u32(0, 1),
    depth: u32(0, 1),
    start: f64(0, 1),
    duration: f64(3, 1),
  },
  counters: [
    { name: 'memory', unit: 'bytes', process: 0, time: f64(0, 2), value: f64(1024, 4096) },
    { name: 'empty', unit: 'count', process: 0, time: f64(), value: f64() },
  ],
};
const layout = layoutRows(values, tables, '');
const [MEMORY, MAIN, WORKER] = layout.rows;

describe('activity', () => {
  it('is found by time', () => {
    expect([-1, 0, 0.99, 1, 4, 4.1].map((time) => bucketAt(values, time))).toEqual([-1, 0, 0, 1, 3, -1]);
    expect(bucketAt({ ...values, to: 0 }, 0)).toBe(-1);
  });

  it('adds up to seconds, in part at the edges', () => {
    expect([...secondsByCategory(values, 0, { left: 0, right: 4 })]).toEqual([2, 0.75]);
    expect([...secondsByCategory(values, 0, { left: 0.5, right: 1.5 })]).toEqual([0.75, 0.25]);
    expect([...secondsByCategory(values, 0, { left: 9, right: 10 })]).toEqual([0, 0]);
    expect([...secondsByCategory({ ...values, buckets: 0 }, 0, { left: 0, right: 4 })]).toEqual([0, 0]);
  });

  it('fills a lane at its highest, at least one thread', () => {
    expect(highestActivity(values)).toBe(1);
    expect(highestActivity({ ...values, activity: values.activity.map((each) => each * 3) })).toBe(3);
    expect(highestActivity({ ...values, track: u32(), activity: new Float32Array(0) })).toBe(1);
  });

  it('of curves holds until the next point', () => {
    const { time, value } = values.counters[0];
    expect([-1, 0, 1.9, 2, 9].map((at) => valueAt(time, value, at))).toEqual([null, 1024, 1024, 4096, 4096]);
    expect(curveSpan(f64())).toEqual({ low: 0, high: 1 });
    expect(curveSpan(f64(-2, 5))).toEqual({ low: -2, high: 5 });
  });
});

describe('rows', () => {
  it('are curves, then tracks with room for their regions', () => {
    expect(layout.rows.map(({ kind, name, top, height }) => [kind, name, top, height])).toEqual([
      ['curve', 'memory (rank 0)', 0, 54],
      ['track', 'main (rank 0)', 60, 62],
      ['track', 'worker (rank 0)', 128, 28],
    ]);
    expect(layout.height).toBe(162);
  });

  it('are filtered by a part of their name', () => {
    expect(layoutRows(values, tables, ' WORK ').rows.map((row) => row.name)).toEqual(['worker (rank 0)']);
    expect(layoutRows(values, tables, 'nothing').rows).toEqual([]);
  });

  it('of processes say how these ended', () => {
    const byProcess = layoutRows({ ...values, by: 'process', counters: [] }, tables, '').rows;
    expect(byProcess.map(({ name, state }) => [name, state])).toEqual([
      ['rank 0 on node1', ''],
      ['rank 1 on node1', 'killed'],
    ]);
    expect(lifeOf(tables, 'process', 1)).toEqual([0, 3.5]);
    expect(lifeOf(tables, 'thread', 1)).toEqual([1, 3]);
  });

  it('show few curves and say how many more there are', () => {
    const counters = Array.from({ length: 20 }, () => values.counters[0]);
    const many = layoutRows({ ...values, counters }, tables, '');
    expect(many.rows.filter((row) => row.kind === 'curve')).toHaveLength(8);
    expect(many.hiddenCurves).toBe(12);
  });

  it('are there for threads of which only regions are known', () => {
    const regions = { ...values.regions, thread: u32(0, 2), depth: u32(0, 0) };
    const found = layoutRows({ ...values, regions, counters: [] }, tables, '').rows;
    expect(found.map(({ id, index, height }) => [id, index, height])).toEqual([
      [0, 0, 45],
      [1, 1, 28],
      [2, -1, 20],
    ]);
    expect(describeMoment({ ...values, regions }, tables, found[2], 0.5, 19)).toContain('nothing recorded');
    expect(sumTracks(values, found, { left: 0, right: 4 })).toHaveLength(2);
  });

  it('and their regions are found under the pointer', () => {
    expect(rowAt(layout.rows, 61)).toBe(MAIN);
    expect(rowAt(layout.rows, 57)).toBeNull();
    expect(regionAt(values, tables, MAIN, 1.5, 5)).toBe(0);
    expect(regionAt(values, tables, MAIN, 1.5, 20)).toBe(1);
    expect(regionAt(values, tables, MAIN, 2.5, 20)).toBe(-1);
    expect(regionAt(values, tables, MAIN, 1.5, 50)).toBe(-1);
    expect(regionAt(values, tables, MEMORY, 1.5, 5)).toBe(-1);
  });

  it('are processes when there are too many threads', () => {
    const many = { ...tables, threads: { ...tables.threads, count: 25 } };
    expect(defaultBy(tables, {})).toBe('thread');
    expect(defaultBy(many, {})).toBe('process');
    expect(defaultBy(many, { threads: [3] })).toBe('thread');
    expect(defaultBy({ ...many, processes: { ...tables.processes, count: 1 } }, {})).toBe('thread');
  });
});

describe('a moment in words', () => {
  it('says what a thread did', () => {
    expect(describeMoment(values, tables, MAIN, 1.5, 50)).toEqual([
      'main (rank 0)',
      'at 2 s',
      'Python code: 50 %',
      'waiting for the GIL: 50 %',
    ]);
    expect(describeMoment(values, tables, WORKER, 3.5, 10)).toContain('nothing recorded');
  });

  it('says what a curve and a region were', () => {
    expect(describeMoment(values, tables, MEMORY, 3, 10)).toEqual(['memory (rank 0)', 'at 3 s', '4.00 KiB']);
    expect(describeMoment(values, tables, MAIN, 1.2, 20).slice(0, 3)).toEqual([
      'region <b>evil</b>',
      'at 1 s',
      'lasts 1.00 s',
    ]);
  });
});

describe('the table of tracks', () => {
  const sums = sumTracks(values, layout.rows, { left: 0, right: 4 });
  it('has seconds by category', () => {
    expect(sumRows(values, sums)).toEqual([
      ['track', 'state', 'Python code (s)', 'waiting for the GIL (s)'],
      ['main (rank 0)', '', 2, 0.75],
      ['worker (rank 0)', '', 2, 0],
    ]);
  });

  it('is sorted by name or category', () => {
    const names = (column: string, isDescending: boolean) =>
      sortTracks(sums, { column, isDescending }).map(({ row }) => row.name);
    expect(names('name', true)).toEqual(['worker (rank 0)', 'main (rank 0)']);
    expect(names('1', false)).toEqual(['worker (rank 0)', 'main (rank 0)']);
    expect(sortTracks(sums, null)).toBe(sums);
  });
});

describe('the tables of curves and regions', () => {
  const memory = values.counters[0];
  it('sum up a curve, each value for as long as it held', () => {
    expect(sumCurve(memory, 'm', { left: 0, right: 4 })).toEqual({
      name: 'm',
      unit: 'bytes',
      lowest: 1024,
      highest: 4096,
      mean: 2560,
      last: 4096,
    });
    expect(sumCurve(memory, 'm', { left: 0.5, right: 1 })).toMatchObject({ highest: 1024, mean: 1024 });
    expect(sumCurve(memory, 'm', { left: 3, right: 4 })).toMatchObject({ lowest: 4096, last: 4096 });
  });

  it('leave out what had not begun', () => {
    expect(sumCurve(memory, 'm', { left: -2, right: -1 })).toBeNull();
    expect(sumCurves(values, layout.rows, { left: 0, right: 4 }).map((curve) => curve.name)).toEqual([
      'memory (rank 0)',
    ]);
  });

  it('have every point for a file', () => {
    expect(curvePoints(values)).toEqual([
      ['curve', 'process', 'unit', 'seconds', 'value'],
      ['memory', 0, 'bytes', 0, 1024],
      ['memory', 0, 'bytes', 2, 4096],
    ]);
  });

  it('list the regions of a range', () => {
    const names = (left: number, right: number) =>
      listRegions(values, tables, { left, right }).map(({ name, thread }) => `${name} of ${thread}`);
    expect(names(0, 4)).toEqual(['setup of main (rank 0)', '<b>evil</b> of main (rank 0)']);
    expect(names(2.5, 4)).toEqual(['setup of main (rank 0)']);
    expect(names(3.5, 4)).toEqual([]);
  });
});

describe('a typed range', () => {
  const extent = { left: 0, right: 8 };
  it('is taken as far as something was recorded', () => {
    expect(readRange('1.5', '3', extent)).toEqual({ left: 1.5, right: 3 });
    expect(readRange('', '3', extent)).toEqual({ left: 0, right: 3 });
    expect(readRange('2', ' ', extent)).toEqual({ left: 2, right: 8 });
    expect(readRange('-5', '99', extent)).toEqual(extent);
  });

  it('that makes no sense is refused with a sentence', () => {
    expect(readRange('a', '3', extent)).toBe('Both ends are numbers of seconds.');
    expect(readRange('3', '3', extent)).toBe('The range ends before it begins.');
    expect(readRange('9', '12', extent)).toBe('Nothing was recorded in that range.');
  });
});

describe('categories', () => {
  it('have words and tokens, unknown ones too', () => {
    expect([categoryWords('gil-wait'), categoryToken('gil-wait')]).toEqual([
      'waiting for the GIL',
      'gil-wait',
    ]);
    expect([categoryWords('warp'), categoryToken('warp')]).toEqual(['warp', 'waiting']);
    expect(categoryToken('running')).toBe('python');
  });
});

describe('the SVG', () => {
  const scene = {
    values,
    tables,
    rows: layout.rows,
    highest: 1,
    view: { left: 0, right: 4 },
    range: null,
    colours: timelineColours((name) => (name === 'sans' ? 'sans' : '#123456')),
    selected: -1,
  };
  const parse = (svg: string) => new DOMParser().parseFromString(svg, 'application/xml');

  it('has a stepped shape per kind and escapes names', () => {
    const svg = timelineSvg(scene, layout.height, 590);
    expect(svg).not.toContain('<b>');
    const titles = [...parse(svg).querySelectorAll('path > title')].map((title) => title.textContent);
    expect(titles).toEqual(['Python code: 2.00 s', 'waiting for the GIL: 750 ms', 'Python code: 2.00 s']);
    // A lane of 28 pixels: full for a second, half for two, empty for one; back along the ground.
    expect(svg).toContain('d="M0 94L100 94L100 108L300 108L300 122L400 122L400 122L0 122Z"');
  });

  it('of a part shows that part only', () => {
    const svg = timelineSvg({ ...scene, view: { left: 1, right: 2 } }, layout.height, 590);
    expect(svg).toContain('d="M0 108L400 108L400 122L0 122Z"');
  });
});
