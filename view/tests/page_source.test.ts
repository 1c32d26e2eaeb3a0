// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Column } from '../src/data/columns';
import { decodeBase64, decodeInPieces } from '../src/data/page_data';
import { findPageData, type PageSource } from '../src/data/page_source';
import { encodeColumns, tableColumns } from './encode_columns';

const f64 = (...values: number[]) => Float64Array.from(values);
const u32 = (...values: number[]) => Uint32Array.from(values);
const columnsOf = (columns: Record<string, Column>, meta = {}) => encodeColumns(columns, meta, true);
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const timeline = columnsOf(
  {
    track: u32(0, 1, 2),
    activity: Float32Array.from({ length: 3 * 2 * 4 }, (_, i) => i),
    'region.thread': u32(0, 0, 1),
    'region.name': u32(0, 0, 1),
    'region.depth': u32(0, 0, 0),
    'region.start': f64(0, 0.5, 0),
    'region.duration': f64(0.75, 0.5, 2),
    'counter0.time': f64(0, 1),
    'counter0.value': f64(5, 6),
  },
  {
    ...{ from: 0, to: 2, buckets: 4, categories: ['python', 'native'], omitted: 0 },
    region_names: ['setup', 'solve'],
    counters: [{ name: 'rss', unit: 'bytes', process: 0 }],
  },
);
const one = f64(1, 1);

// Three threads; what each did is known, and what two of them did when.
const ANSWERS: Record<string, Uint8Array> = {
  'api/profiles': json({ profiles: [{ id: 0, name: 'run', live: false, generation: 0 }] }),
  'api/0/summary': json({
    metrics: [
      { name: 'wall', unit: 'ns', combine: 'sum' },
      { name: 'peak', unit: 'bytes', combine: 'max' },
      { name: 'idle', unit: 'ns', combine: 'sum' },
    ],
    has: {},
  }),
  'api/0/tables': columnsOf(tableColumns()),
  'api/0/values?metric=wall,peak': columnsOf({ 'self:wall': f64(7e9, 3e9, 1e9), 'self:peak': f64(9, 0, 0) }),
  'api/0/values?metric=wall,peak&threads=0': columnsOf({
    'self:wall': f64(2e9, 0, 0),
    'self:peak': f64(4, 0, 0),
  }),
  'api/0/values?metric=wall,peak&threads=1': columnsOf({
    node: u32(0, 2),
    'self:wall': f64(1e9, 1e9),
    'self:peak': f64(9, 0),
  }),
  'api/0/values?metric=wall,peak&threads=2': columnsOf({
    'self:wall': f64(4e9, 3e9, 0),
    'self:peak': f64(1, 0, 0),
  }),
  'api/0/samples?metric=wall&thread=0': columnsOf({
    time: f64(0, 1),
    end: f64(1, 2),
    node: u32(0, 0),
    'weight:wall': f64(1e9, 1e9),
  }),
  'api/0/samples?thread=1&metric=wall': columnsOf({
    time: f64(1, 0), // not in order
    end: f64(2, 1),
    node: u32(2, 0),
    'weight:wall': f64(1e9, 1e9),
  }),
  'api/0/functions?metric=wall': columnsOf({
    function: u32(0, 1),
    self: one,
    total: one,
    calls: one,
    primitive: one,
  }),
  'api/0/ranks?metric=wall&by=self&most=100': columnsOf({
    process: u32(0, 1),
    function: u32(0, 1),
    value: f64(1, 2, 3, 4),
    ...{ minimum: one, median: one, maximum: one, mean: one, deviation: one },
  }),
  'api/0/timeline?by=thread&buckets=1000': timeline,
  'api/0/source?file=0': json({ path: '/home/wave.py', text: 'x = 1', from: 'recorded' }),
};

// Where the page would be a document: all that is asked of it is one element.
function pageOf(text: string | null): Document & { removed: boolean } {
  const page = {
    removed: false,
    getElementById: (id: string) =>
      text !== null && id === 'pyrometer-data'
        ? { textContent: text, remove: () => (page.removed = true) }
        : null,
  };
  return page as unknown as Document & { removed: boolean };
}

function packed(answers: Record<string, Uint8Array>): string {
  const columns: Record<string, Column> = {};
  const meta: Record<string, unknown> = {};
  Object.entries(answers).forEach(([asked, bytes], i) => {
    columns[`answer${i}`] = bytes;
    meta[asked] = { column: `answer${i}`, type: bytes[0] === 0x7b ? 'json' : 'columns' };
  });
  return gzipSync(encodeColumns(columns, { answers: meta })).toString('base64');
}

async function open(answers = ANSWERS): Promise<PageSource> {
  const source = await findPageData(pageOf(`\n${packed(answers)}\n`));
  if (!source) throw new Error('the page has no data');
  return source;
}

const without = (...names: string[]) =>
  Object.fromEntries(
    Object.entries(ANSWERS).filter(([asked]) => !names.some((name) => asked.includes(name))),
  );

describe('a page', () => {
  it('without data leaves the server to be asked', async () => {
    expect(await findPageData(pageOf(null))).toBeNull();
  });

  it('lets go of its text when it is read', async () => {
    const page = pageOf(packed(ANSWERS));
    await findPageData(page);
    expect(page.removed).toBe(true);
  });

  it.each([
    ['!!!', 'not base64'],
    ['AAAA', 'cannot be unpacked'],
    [gzipSync('hello').toString('base64'), 'do not begin as columns do'],
    [gzipSync(encodeColumns({})).toString('base64'), 'names no answers'],
    [packed(ANSWERS).slice(0, 400), 'cannot be unpacked'],
  ])('that is damaged says so', async (text, reason) => {
    await expect(findPageData(pageOf(text))).rejects.toThrow(reason);
  });

  it('is decoded alike with and without help of the browser', () => {
    for (const length of [0, 1, 2, 3, 300_001]) {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
      const text = Buffer.from(bytes).toString('base64');
      expect(decodeInPieces(text)).toEqual(bytes);
      expect(decodeBase64(text)).toEqual(bytes);
    }
  });

  it('answers what it was given', async () => {
    const source = await open();
    expect((await source.profiles()).profiles[0].name).toBe('run');
    expect((await source.tables(0)).nodes.parent).toEqual(Int32Array.of(-1, 0, 0));
    expect((await source.source(0, 0)).text).toBe('x = 1');
    expect((await source.functions(0, 'wall', {})).calls).toEqual(one);
    expect((await source.values(0, ['wall'], {})).get('wall')).toEqual(f64(7e9, 3e9, 1e9));
    expect(source.exportAddress()).toBeNull();
  });

  it('knows that a metric without an answer is zero everywhere', async () => {
    const source = await open();
    expect((await source.values(0, ['idle'], {})).get('idle')).toEqual(f64(0, 0, 0));
    expect((await source.values(0, ['idle'], { threads: [1], from: 1 })).get('idle')).toEqual(f64(0, 0, 0));
  });

  it('says what it lacks, and how to see it', async () => {
    const source = await open();
    await expect(source.lines(0, {})).rejects.toThrow(
      'This page holds no measured lines for this choice. To see it, open the profile itself: pyrometer view run',
    );
    await expect(source.values(0, ['cpu'], {})).rejects.toThrow('no values of “cpu”');
    await expect(source.ranks(0, 'cpu', 'self', 9)).rejects.toThrow('no comparison of processes by “cpu”');
    await expect(source.timeline(0, 'process', 9, {})).rejects.toThrow('no timeline by process');
    await expect(source.diff(0, 1, 'wall', 'lines', false)).rejects.toThrow(
      'no comparison of these profiles',
    );
  });

  it('has no text where it was written without sources', async () => {
    const source = await open(without('source'));
    expect(await source.source(0, 0)).toEqual({ path: '/home/wave.py', text: null, from: 'none' });
  });

  it('keeps as many ranks as asked for', async () => {
    const ranks = await (await open()).ranks(0, 'wall', 'self', 1);
    expect([[...ranks.function], [...ranks.value], ranks.mean.length]).toEqual([[0], [1, 2], 1]);
  });
});

describe('a scope of a page', () => {
  const values = async (scope: object, metric = 'wall', answers = ANSWERS) =>
    (await (await open(answers)).values(0, [metric], scope)).get(metric);

  it('of threads and processes adds up what each thread did', async () => {
    expect(await values({ threads: [1] })).toEqual(f64(1e9, 0, 1e9));
    expect(await values({ threads: [0, 1] })).toEqual(f64(3e9, 0, 1e9));
    expect(await values({ processes: [1] })).toEqual(f64(4e9, 3e9, 0));
    expect(await values({ processes: [0], threads: [1, 2] })).toEqual(f64(1e9, 0, 1e9));
    expect(await values({ threads: [0, 1, 2] })).toEqual(f64(7e9, 3e9, 1e9));
    expect(await values({ threads: [77] })).toEqual(f64(0, 0, 0));
  });

  it('takes the largest of what does not add up', async () => {
    expect(await values({ threads: [0, 2] }, 'peak')).toEqual(f64(4, 0, 0));
    expect(await values({ threads: [0, 1] }, 'peak')).toEqual(f64(9, 0, 0));
  });

  it('of time counts the part of samples that is inside', async () => {
    expect(await values({ from: 0.5, to: 1.25, threads: [1] })).toEqual(f64(0.5e9, 0, 0.25e9));
    expect(await values({ from: 1.75 })).toEqual(f64(0.25e9, 0, 0.25e9));
    expect(await values({ from: 2, to: 1 })).toEqual(f64(0, 0, 0));
  });

  it('of a region counts the time of the threads that were in it, overlaps once', async () => {
    expect(await values({ region: 'setup' })).toEqual(f64(1e9, 0, 0));
    expect(await values({ region: 'solve', from: 1.5 })).toEqual(f64(0, 0, 0.5e9));
    expect(await values({ region: 'unknown' })).toEqual(f64(0, 0, 0));
  });

  it('gives functions from paths', async () => {
    const rows = await (await open()).functions(0, 'wall', { threads: [1] });
    expect(rows).toEqual({
      function: u32(0, 1),
      self: f64(1e9, 1e9),
      total: f64(2e9, 1e9),
      calls: f64(0, 0),
      primitive: f64(0, 0),
    });
  });

  it('says what the page cannot tell', async () => {
    await expect(values({ threads: [0] }, 'wall', without('threads='))).rejects.toThrow('for each thread');
    await expect(values({ from: 1 }, 'wall', without('samples'))).rejects.toThrow('no samples in time');
    await expect(values({ from: 1 }, 'peak')).rejects.toThrow('“peak” only for the whole run');
  });

  it('counts paths with regions among their frames by their own rows', async () => {
    const source = await open({
      ...ANSWERS,
      'api/0/regions/tables': columnsOf(tableColumns()),
      'api/0/regions/values?metric=wall': columnsOf({ 'self:wall': f64(0, 10e9, 1e9) }),
      'api/0/regions/samples?thread=0&metric=wall': columnsOf({
        time: f64(0, 1),
        end: f64(1, 2),
        node: u32(1, 2),
        'weight:wall': f64(1e9, 1e9),
      }),
    });
    const wall = async (scope: object) => (await source.values('0/regions', ['wall'], scope)).get('wall');
    expect(await wall({})).toEqual(f64(0, 10e9, 1e9));
    expect(await wall({ region: 'setup', threads: [0] })).toEqual(f64(0, 1e9, 0));
    expect((await source.samples('0/regions', 0, 'wall', { from: 1 })).node).toEqual(u32(2));
  });

  it('cuts samples and the timeline', async () => {
    const source = await open();
    const samples = await source.samples(0, 1, 'wall', { from: 0.5, to: 1.5 });
    expect(samples).toEqual({
      thread: 1,
      time: f64(1, 0.5),
      end: f64(1.5, 1),
      node: u32(2, 0),
      weight: f64(0.5e9, 0.5e9),
    });
    const part = await source.timeline(0, 'thread', 50, { from: 0.6, to: 1.4, threads: [1] });
    expect([part.from, part.to, part.buckets]).toEqual([0.5, 1.5, 2]);
    expect(part.track).toEqual(u32(1));
    expect(part.activity).toEqual(Float32Array.of(9, 10, 13, 14));
    expect(part.counters[0]).toMatchObject({ name: 'rss', unit: 'bytes', process: 0 });
    const nothing = await source.timeline(0, 'thread', 50, { from: 7, to: 8 });
    expect([nothing.from, nothing.to]).toEqual([1.5, 2]);
  });
});

describe('a file for other tools', () => {
  it('of collapsed stacks has each path with its microseconds', async () => {
    const file = await (await open()).exportFile(0, 'collapsed', 'wall');
    expect(file.name).toBe('profile.collapsed.txt');
    expect(await file.text()).toBe('main (wave.py:1) 7000000\nmain (wave.py:1);solve 4000000\n');
  });

  it('of speedscope has a profile per thread', async () => {
    const file = await (await open()).exportFile(0, 'speedscope', 'wall');
    const content = JSON.parse(await file.text()) as {
      shared: unknown;
      profiles: { name: string; unit: string; endValue: number; events: unknown[] }[];
    };
    expect(content.shared).toEqual({
      frames: [
        { name: 'main', file: '/home/wave.py', line: 1 },
        { name: 'solve', file: '', line: 0 },
      ],
    });
    expect(content.profiles.map((profile) => profile.name)).toEqual([
      'rank 0: main',
      'rank 0: solve',
      'rank 1: main',
    ]);
    expect(content.profiles[1]).toMatchObject({ unit: 'nanoseconds', endValue: 2e9 });
    expect(content.profiles[1].events).toEqual([
      { type: 'O', frame: 0, at: 0 },
      { type: 'O', frame: 1, at: 1e9 },
      { type: 'C', frame: 1, at: 2e9 },
      { type: 'C', frame: 0, at: 2e9 },
    ]);
  });

  it('of speedscope has one profile where threads are not known', async () => {
    const file = await (await open(without('threads='))).exportFile(0, 'speedscope', 'peak');
    const content = JSON.parse(await file.text()) as { profiles: object[] };
    expect(content.profiles).toMatchObject([{ name: 'all threads', unit: 'bytes', endValue: 9 }]);
  });

  it('of another format is refused', async () => {
    const source = await open();
    expect(source.canExport('pprof')).toBe(false);
    await expect(source.exportFile(0, 'pprof', 'wall')).rejects.toThrow('no writer of pprof files');
  });
});
