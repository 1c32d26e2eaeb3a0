// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerCache } from '../src/data/answer_cache';
import { hasScope, request, rowRanges, scopeQuery } from '../src/data/requests';
import { ServerSource } from '../src/data/server_source';
import { encodeColumns, tableColumns } from './encode_columns';

describe('requests', () => {
  it('are written as documented', () => {
    const scope = { processes: [0, 1, 2, 31, 5], threads: [2], from: 1.5, to: 3, region: 'a b&c' };
    expect(request('0/values', { metric: 'wall,cpu', ...scopeQuery(scope) })).toBe(
      'api/0/values?metric=wall,cpu&processes=0-2,5,31&threads=2&from=1.5&to=3&region=a%20b%26c',
    );
    expect(request('profiles')).toBe('api/profiles');
    expect(rowRanges([])).toBe('');
    expect([hasScope({}), hasScope({ threads: [0] })]).toEqual([false, true]);
  });
});

describe('the cache', () => {
  const answer = (value: string, bytes: number) => vi.fn(() => Promise.resolve({ value, bytes }));

  it('shares what is on its way and keeps what came', async () => {
    const cache = new AnswerCache(100);
    const load = answer('a', 10);
    const both = await Promise.all([cache.get('a', load), cache.get('a', load)]);
    expect([both, await cache.get('a', load), load.mock.calls.length]).toEqual([['a', 'a'], 'a', 1]);
  });

  it('drops what was not used for the longest time', async () => {
    const cache = new AnswerCache(25);
    const [a, b, c] = [answer('a', 10), answer('b', 10), answer('c', 10)];
    await cache.get('a', a);
    await cache.get('b', b);
    await cache.get('a', a);
    await cache.get('c', c);
    await cache.get('a', a);
    await cache.get('b', b);
    expect([a, b, c].map((load) => load.mock.calls.length)).toEqual([1, 2, 1]);
  });

  it('asks again for what failed', async () => {
    const cache = new AnswerCache(100);
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', answer('yes', 1))).toBe('yes');
  });

  it('does not keep what was forgotten while it was on its way', async () => {
    const cache = new AnswerCache(100);
    const slow = cache.get('a', answer('old', 1));
    cache.forget((key) => key === 'a');
    expect(await slow).toBe('old');
    expect(await cache.get('a', answer('new', 1))).toBe('new');
  });
});

describe('a server', () => {
  let generation = 1;
  const answers = new Map<string, () => Response | Promise<Response>>();
  const asked = vi.fn((address: string) => {
    const answer = answers.get(address.replace('http://127.0.0.1:9/token/', ''));
    return Promise.resolve(
      answer?.() ?? Response.json({ error: 'There is no such answer.' }, { status: 404 }),
    );
  });
  const countOf = (path: string) => asked.mock.calls.filter(([address]) => address.endsWith(path)).length;

  beforeEach(() => {
    generation = 1;
    asked.mockClear();
    answers.clear();
    answers.set('api/profiles', () =>
      Response.json({ profiles: [{ id: 0, name: 'run', live: true, generation }] }),
    );
    answers.set('api/0/summary', () => Response.json({ title: 'Fast', metrics: [], has: {} }));
    answers.set('api/0/tables', () => new Response(encodeColumns(tableColumns())));
    vi.stubGlobal('fetch', asked);
  });
  afterEach(() => vi.unstubAllGlobals());
  const server = () => new ServerSource(new URL('http://127.0.0.1:9/token/'));

  it('is asked once for the same thing', async () => {
    const source = server();
    await source.profiles();
    const [first, second] = await Promise.all([source.summary(0), source.summary(0)]);
    expect([first.title, second]).toEqual(['Fast', first]);
    await source.summary(0);
    expect(countOf('summary')).toBe(1);
  });

  it('is asked again when a live profile has grown', async () => {
    const source = server();
    await source.profiles();
    await source.summary(0);
    await source.profiles();
    await source.summary(0);
    expect(countOf('summary')).toBe(1);
    generation = 2;
    await source.profiles();
    await source.summary(0);
    expect(countOf('summary')).toBe(2);
  });

  it('gives values by node, dense or not', async () => {
    const dense = { 'self:wall': Float64Array.of(1, 2, 3), 'self:cpu': Float64Array.of(0, 0, 1) };
    answers.set('api/0/values?metric=wall,cpu', () => new Response(encodeColumns(dense)));
    const sparse = { node: Uint32Array.of(2), 'self:wall': Float64Array.of(7) };
    answers.set('api/0/values?metric=wall&threads=0-1', () => new Response(encodeColumns(sparse)));
    const source = server();
    const both = await source.values(0, ['wall', 'cpu'], {});
    expect([...both]).toEqual([
      ['wall', Float64Array.of(1, 2, 3)],
      ['cpu', Float64Array.of(0, 0, 1)],
    ]);
    const scoped = await source.values(0, ['wall'], { threads: [0, 1] });
    expect(scoped.get('wall')).toEqual(Float64Array.of(0, 0, 7));
    expect((await source.values(0, [], {})).size).toBe(0);
  });

  it('gives the other answers as screens read them', async () => {
    const costs = { self: Float64Array.of(3), total: Float64Array.of(4), calls: Float64Array.of(5) };
    const one = Float64Array.of(1);
    const columns = new Map([
      ['functions?metric=wall', { function: Uint32Array.of(1), ...costs, primitive: one }],
      ['calls?metric=wall', { caller: Uint32Array.of(0), callee: Uint32Array.of(1), ...costs }],
      ['lines', { function: Uint32Array.of(0), line: Uint32Array.of(7), hits: one, time: one, self: one }],
      [
        'ranks?metric=wall&by=self&most=5',
        {
          process: Uint32Array.of(0, 1),
          function: Uint32Array.of(1),
          value: Float64Array.of(1, 3),
          ...{ minimum: one, median: one, maximum: one, mean: one, deviation: one },
        },
      ],
      [
        'samples?thread=1&metric=wall&from=1',
        { time: one, end: Float64Array.of(2), node: Uint32Array.of(2), 'weight:wall': one },
      ],
    ]);
    for (const [path, values] of columns) {
      answers.set(`api/0/${path}`, () => new Response(encodeColumns(values)));
    }
    const source = server();
    expect((await source.functions(0, 'wall', {})).primitive).toEqual(one);
    expect((await source.edges(0, 'wall')).callee).toEqual(Uint32Array.of(1));
    expect((await source.lines(0, {})).line).toEqual(Uint32Array.of(7));
    expect((await source.ranks(0, 'wall', 'self', 5)).value).toEqual(Float64Array.of(1, 3));
    const samples = await source.samples(0, 1, 'wall', { from: 1 });
    expect([samples.thread, samples.end?.[0], samples.node[0]]).toEqual([1, 2, 2]);
    expect(source.exportAddress(0, 'pprof', 'wall')).toBe(
      'http://127.0.0.1:9/token/api/0/export?format=pprof&metric=wall',
    );
  });

  it.each([
    ['functions?metric=wall', { function: Uint32Array.of(2) }, 'function refers to a row'],
    ['functions?metric=wall', { function: Uint32Array.of(0, 1) }, 'different lengths'],
  ])('is not believed: %s', async (path, wrong, reason) => {
    const one = Float64Array.of(1);
    const columns = { self: one, total: one, calls: one, primitive: one, ...wrong };
    answers.set(`api/0/${path}`, () => new Response(encodeColumns(columns)));
    await expect(server().functions(0, 'wall', {})).rejects.toThrow(reason);
  });

  it('that counts other nodes has read the recording again', async () => {
    answers.set('api/0/values?metric=wall', () => {
      return new Response(encodeColumns({ 'self:wall': Float64Array.of(1) }));
    });
    await expect(server().values(0, ['wall'], {})).rejects.toThrow('The recording has grown');
  });

  it('explains its errors', async () => {
    await expect(server().lines(0, {})).rejects.toThrow('There is no such answer.');
    answers.set('api/0/summary', () => new Response('<html>', { status: 502 }));
    await expect(server().summary(0)).rejects.toThrow('The server refused with status 502.');
    answers.set('api/0/summary', () => new Response('not JSON'));
    await expect(server().summary(0)).rejects.toThrow('cannot be read');
    answers.set('api/0/summary', () => Response.json({ title: 'half' }));
    await expect(server().summary(0)).rejects.toThrow('not complete');
    answers.set('api/profiles', () => Response.json(null));
    await expect(server().profiles()).rejects.toThrow('names no profiles');
  });

  it('that has ended is said to have', async () => {
    answers.set('api/0/summary', () => Promise.reject(new TypeError('Failed to fetch')));
    const source = server();
    await expect(source.summary(0)).rejects.toThrow('Pyrometer no longer answers');
    answers.set('api/0/summary', () => Response.json({ title: 'Back', metrics: [], has: {} }));
    expect((await source.summary(0)).title).toBe('Back');
  });
});
