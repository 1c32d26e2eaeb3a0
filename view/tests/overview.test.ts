import { describe, expect, it } from 'vitest';
import type { Counter, Finding, Summary, TimelineValues } from '../src/data/types';
import { chooseFindings } from '../src/screens/overview/choose';
import { busyThreads, curvePoints, highestCounters } from '../src/screens/overview/curves';
import { sharesOf, wholePercents } from '../src/screens/overview/shares';
import { qualityWords } from '../src/screens/overview/words';

const quality = { samples: 1684, rejected: 0, lost: 0, rate: [200, 200], cost: 0.003, error: 0.024 } as const;
const summary = {
  quality,
  metrics: [{ name: 'wall' }],
  finished: true,
  sampled: true,
  estimated: false,
} as unknown as Summary;

describe('how far numbers can be trusted', () => {
  it('is said in sentences', () => {
    expect(qualityWords(summary)).toEqual([
      '1,684 samples at 200 Hz.',
      'A share of 50 % is uncertain by ±2.4 points.',
      'Recording took 0.3 % of a CPU.',
    ]);
  });

  it('names what is missing', () => {
    const bad = { ...quality, samples: 1, rejected: 12, lost: 3, rate: [95.2, 200], cost: 0 } as const;
    expect(qualityWords({ ...summary, quality: bad, finished: false })).toEqual([
      'The recording is not complete: the program is still running, or its recorder was stopped.',
      '1 sample at 95 to 200 Hz; 12 rejected as inconsistent, 3 lost.',
      'A share of 50 % is uncertain by ±2.4 points.',
      'Recording took less than 0.1 % of a CPU.',
    ]);
  });

  it('is exact for a profile that was not sampled', () => {
    const exact = { samples: 0, rejected: 0, lost: 0, rate: null, cost: null, error: null };
    expect(qualityWords({ ...summary, quality: exact, sampled: false, estimated: true })).toEqual([
      'Measured exactly, not sampled.',
      'The file tells who called whom; whole call paths are estimated from that.',
    ]);
  });
});

describe('an empty profile', () => {
  it('claims nothing', () => {
    const nothing = { samples: 0, rejected: 0, lost: 0, rate: null, cost: null, error: null };
    expect(qualityWords({ ...summary, metrics: [], sampled: false, quality: nothing })).toEqual([]);
  });
});

describe('findings', () => {
  const finding = (kind: Finding['kind'], sentence: string) => ({ kind, sentence }) as Finding;
  const texts = (list: readonly Finding[]) => list.map((each) => each.sentence);

  it('leave room for what burns, and are said once', () => {
    const all = [
      finding('warning', 'w1'),
      finding('warning', 'w1'),
      finding('warning', 'w2'),
      finding('warning', 'w3'),
      ...['h1', 'h2', 'h3', 'h4'].map((text) => finding('hot', text)),
    ];
    const { shown, others } = chooseFindings(all, 5);
    expect(texts(shown)).toEqual(['w1', 'w2', 'h1', 'h2', 'h3']);
    expect(texts(others)).toEqual(['w3', 'h4']);
  });

  it('may be warnings only, or none', () => {
    const warnings = ['a', 'b', 'c'].map((text) => finding('warning', text));
    expect(texts(chooseFindings(warnings, 5).shown)).toEqual(['a', 'b', 'c']);
    expect(chooseFindings([], 5)).toEqual({ shown: [], others: [] });
  });
});

describe('shares in a scope', () => {
  it('add up to a hundred', () => {
    expect(wholePercents([1, 1, 1])).toEqual([34, 33, 33]);
    expect(wholePercents([0, 0])).toEqual([0, 0]);
    expect(wholePercents([])).toEqual([]);
  });

  it('are kinds that have a value, and waiting', () => {
    const sums = new Map([
      ['python', 60],
      ['native', 0],
      ['gil-wait', 20],
    ]);
    expect(sharesOf(sums, 100)).toEqual([
      { id: 'python', words: 'python', value: 60, percent: 60 },
      { id: 'gil-wait', words: 'waiting for the GIL', value: 20, percent: 20 },
      { id: 'waiting', words: 'waiting', value: 20, percent: 20 },
    ]);
    expect(sharesOf(sums, 0).map((share) => share.percent)).toEqual([75, 25]);
    expect(sharesOf(new Map(), 0)).toEqual([]);
  });
});

describe('curves', () => {
  const timeline = {
    categories: ['python', 'sleep', 'native'],
    buckets: 2,
    omitted: 0,
    track: Uint32Array.of(0, 1),
    activity: Float32Array.of(1, 0.5, 9, 9, 0, 0.25, 1, 1, 9, 9, 0, 0),
  } as unknown as TimelineValues;

  it('add up threads that work', () => {
    expect([...busyThreads(timeline)!]).toEqual([2, 1.75]);
  });

  it('are not made of a part of the tracks, or of waiting', () => {
    expect(busyThreads({ ...timeline, omitted: 1 })).toBeNull();
    expect(busyThreads({ ...timeline, categories: ['sleep'] })).toBeNull();
  });

  it('show the highest counter of each name', () => {
    const counter = (name: string, process: number, ...values: number[]): Counter => ({
      name,
      process,
      unit: 'bytes',
      time: Float64Array.from(values.keys()),
      value: Float64Array.from(values),
    });
    const found = highestCounters([counter('rss', 0, 1, 2), counter('rss', 1, 9, 3), counter('one', 0, 5)]);
    expect(found.map(({ counter: each, most }) => [each.name, each.process, most])).toEqual([['rss', 1, 9]]);
  });

  it('fill their box, also when nothing rises', () => {
    expect(curvePoints([1, 2, 3], [0, 5, 10], 10, 100, 40)).toBe('0.0,40.0 50.0,20.0 100.0,0.0');
    expect(curvePoints([1, 1], [0, 0], 0, 100, 40)).toBe('0.0,40.0 0.0,40.0');
  });
});
