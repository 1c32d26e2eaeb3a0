import { describe, expect, it } from 'vitest';
import type { Column } from '../src/data/columns';
import { decodeParallel } from '../src/data/parallel_job';
import { NONE } from '../src/data/types';
import { describeBar, endingOf, formatCoreHours, hostOfRank } from '../src/screens/ranks/bar_words';
import { figuresOf } from '../src/screens/ranks/figures';
import { processesOfRanks } from '../src/screens/ranks/job';
import { communicatorWords, lineWords, matchingCalls } from '../src/screens/ranks/mpi_rows';
import {
  hostRuns,
  makeBars,
  occurringParts,
  orderRanks,
  partsOf,
  ranksIn,
} from '../src/screens/ranks/rank_bars';
import { jobRankRows } from '../src/screens/ranks/ranks_table';
import { unevenSentence, unevenVerdict } from '../src/screens/ranks/uneven_words';
import { jobAnswer, jobColumns, jobProfile, jobTables } from './make_job';

const job = decodeParallel(jobAnswer(), jobTables);
const S = 1e9;

describe('the answer about a parallel job', () => {
  it('is read as it is', () => {
    expect(job.ranks.count).toBe(4);
    expect(job.calls.count).toBe(2);
    expect(job.uneven.count).toBe(2);
    expect(job.hosts[1]).toEqual({ name: 'node1', ranks: 2, cores: 8 });
    expect(job.efficiency.loadBalance).toBe(0.528);
    expect(job.calls.culprit[1]).toBe(NONE);
  });

  it('may have nothing in it', () => {
    const empty: Record<string, Column> = {};
    for (const [name, known] of Object.entries(jobColumns)) {
      if (!name.startsWith('rank.')) empty[name] = known.slice(0, 0);
    }
    const alone = decodeParallel(jobAnswer(empty), jobTables);
    expect(alone.calls.count).toBe(0);
    expect(alone.uneven.count).toBe(0);
  });

  it.each([
    ['ranks of other lengths', { 'rank.wait': Float64Array.of(1) }],
    ['processes that do not exist', { 'rank.process': Uint32Array.of(0, 1, 3, 99) }],
    ['ranks that do not exist', { 'uneven.highest': Uint32Array.of(3, 4) }],
    ['a culprit that does not exist', { 'culprit.rank': Uint32Array.of(4, NONE) }],
    ['an MPI function that is none', { 'call.mpi': Uint32Array.of(NONE, 0) }],
  ])('is refused with %s', (_, changes) => {
    expect(() => decodeParallel(jobAnswer(changes), jobTables)).toThrow(
      /damaged|does not exist|not one value/,
    );
  });

  it('is refused without its description', () => {
    expect(() => decodeParallel(jobAnswer({}, { efficiency: null }), jobTables)).toThrow('is no object');
    expect(() => decodeParallel(jobAnswer({}, { hosts: 3 }), jobTables)).toThrow('is no list');
  });
});

describe('bars of ranks', () => {
  const parts = partsOf(job.ranks);

  it('divide the wall time', () => {
    expect([...parts.subarray(0, 4)]).toEqual([1 * S, 1 * S, 7 * S, 1 * S]);
    expect([...parts.subarray(12, 16)]).toEqual([9 * S, 1 * S, 0, 0]);
  });

  it('have no negative parts where threads work side by side', () => {
    const busy = decodeParallel(jobAnswer({ 'rank.useful': new Float64Array(4).fill(30 * S) }), jobTables);
    expect(Math.min(...partsOf(busy.ranks))).toBe(0);
  });

  it('have a legend of what occurs', () => {
    expect(occurringParts(parts).map((part) => part.token)).toEqual(['useful', 'mpi', 'mpi-wait', 'waiting']);
    expect(occurringParts(Float64Array.of(5, 0, 0, 1)).map((part) => part.token)).toEqual([
      'useful',
      'waiting',
    ]);
    expect(occurringParts(new Float64Array(0))).toEqual([]);
  });

  it('stand by number, by work or by waiting', () => {
    expect([...orderRanks(job.ranks, 'number')]).toEqual([0, 1, 2, 3]);
    expect([...orderRanks(job.ranks, 'useful')]).toEqual([3, 1, 2, 0]);
    expect([...orderRanks(job.ranks, 'wait')]).toEqual([0, 2, 1, 3]);
  });

  it('are one per rank where there is room', () => {
    const bars = makeBars(job.ranks, parts, orderRanks(job.ranks, 'number'), 900);
    expect(bars.columns.count).toBe(4);
    expect(bars.highest).toBe(10 * S);
    expect([...bars.hasIdle]).toEqual([1, 0, 0, 0]);
  });

  it('share a column where there is none, by mean and with the busiest', () => {
    const bars = makeBars(job.ranks, parts, orderRanks(job.ranks, 'number'), 2);
    expect(bars.columns.count).toBe(2);
    expect([...bars.means.subarray(0, 4)]).toEqual([3 * S, 1 * S, 5 * S, 1 * S]);
    expect([...bars.busiest]).toEqual([5 * S, 9 * S]);
    expect([...bars.hasIdle]).toEqual([1, 0]);
    expect([...ranksIn(bars.columns, 1)]).toEqual([2, 3]);
  });

  it('are marked by host while hosts are neighbours', () => {
    expect(hostRuns(job.ranks, orderRanks(job.ranks, 'number'), 2)).toEqual([
      { host: 0, from: 0, to: 2 },
      { host: 1, from: 2, to: 4 },
    ]);
    expect(hostRuns(job.ranks, orderRanks(job.ranks, 'useful'), 2)).toEqual([]);
    expect(hostRuns(job.ranks, orderRanks(job.ranks, 'number'), 1)).toEqual([]);
  });

  it('are told in words', () => {
    const bars = makeBars(job.ranks, parts, orderRanks(job.ranks, 'number'), 900);
    expect(describeBar(jobTables, job, bars, 0)).toEqual([
      'rank 0 on node0',
      'useful work 1.00 s, 10 %',
      'MPI, moving data 1.00 s, 10 %',
      'MPI, waiting for others 7.00 s, 70 %',
      'other waiting 1.00 s, 10 %',
      'idle: less than a fifth of the busiest rank’s work',
    ]);
    expect(describeBar(jobTables, job, bars, 3).at(-1)).toBe('killed');
    const narrow = makeBars(job.ranks, parts, orderRanks(job.ranks, 'number'), 1);
    const words = describeBar(jobTables, job, narrow, 0);
    expect(words[0]).toBe('ranks 0–3');
    expect(words[1]).toBe('mean useful work 4.75 s, 48 %');
    expect(words.at(-1)).toBe('1 of them idle');
  });

  it('take the children of a rank with them', () => {
    expect(processesOfRanks(jobTables, job, [1, 3])).toEqual([1, 2, 4]);
  });

  it('show one among ten thousand', () => {
    const count = 10_000;
    const many = {
      ...job.ranks,
      count,
      number: Int32Array.from({ length: count }, (_, i) => i),
      isIdle: new Uint8Array(count),
      wall: new Float64Array(count).fill(1),
      useful: Float64Array.from({ length: count }, (_, i) => (i === 7777 ? 1 : 0.5)),
      mpi: new Float64Array(count),
      wait: new Float64Array(count),
    };
    const bars = makeBars(many, partsOf(many), orderRanks(many, 'number'), 1000);
    expect(bars.columns.count).toBe(1000);
    expect(bars.busiest[777]).toBe(1); // one among ten is still seen
  });
});

describe('figures of a job', () => {
  it('come with their meaning', () => {
    expect(figuresOf(job).map(({ name, value }) => `${name} ${value}`)).toEqual([
      'Parallel efficiency 48 %',
      'Load balance 53 %',
      'Communication 90 %',
      'Idle ranks 1 of 4',
    ]);
    expect(figuresOf(job)[3].meaning).toContain('9.0 core-seconds');
  });

  it('are withheld with the reason', () => {
    const efficiency = {
      withheld: '4 ranks share the 2 cores of node0',
      parallel: null,
      load_balance: null,
      communication: null,
    };
    const shared = decodeParallel(jobAnswer({ 'rank.idle': new Uint8Array(4) }, { efficiency }), jobTables);
    expect(figuresOf(shared)).toEqual([
      {
        name: 'Efficiencies',
        value: '–',
        meaning: 'would say nothing here: 4 ranks share the 2 cores of node0',
      },
    ]);
  });

  it('say core-hours as people do', () => {
    expect(formatCoreHours(3.14)).toBe('3.1 core-hours');
    expect(formatCoreHours(1200)).toBe('1,200 core-hours');
    expect(formatCoreHours(0.01)).toBe('36.0 core-seconds');
  });

  it('are a table as well', () => {
    const [head, first] = jobRankRows(job, jobTables);
    expect(head.slice(0, 5)).toEqual(['rank', 'host', 'ending', 'wall', 'useful']);
    expect(first.slice(0, 5)).toEqual([0, 'node0', 'finished', 10 * S, 1 * S]);
    expect(first.at(-1)).toBe(1);
    expect(hostOfRank(job, 3)).toBe('node1');
    expect(endingOf(jobTables, job, 3)).toBe('killed');
  });
});

describe('MPI calls', () => {
  it('are named by their lines', () => {
    expect(lineWords(jobTables, jobProfile.fn('exchange'), 88)).toBe('solver.py:88');
    expect(lineWords(jobTables, jobProfile.fn('exchange'), 0)).toBe('exchange');
    expect(lineWords(jobTables, NONE, 0)).toBe('native code');
  });

  it('tell the sizes of communicators', () => {
    expect(communicatorWords(4, 4)).toBe('4 ranks');
    expect(communicatorWords(1, 1)).toBe('1 rank');
    expect(communicatorWords(2, 1024)).toBe('2–1,024 ranks');
    expect(communicatorWords(0, 0)).toBe('–');
  });

  it('can be searched by line, caller and function', () => {
    expect([...matchingCalls(job, jobTables, '')]).toEqual([0, 1]);
    expect([...matchingCalls(job, jobTables, 'solver.py:88')]).toEqual([0]);
    expect([...matchingCalls(job, jobTables, 'allreduce -exchange')]).toEqual([1]);
    expect([...matchingCalls(job, jobTables, 'bcast')]).toEqual([]);
  });
});

describe('uneven functions', () => {
  it('are judged', () => {
    expect(unevenVerdict(job.uneven, 0)).toBe('uneven');
    expect(unevenVerdict(job.uneven, 1)).toBe('not distinguishable from noise');
    const small = { ...job.uneven, isCertain: Uint8Array.of(1, 1) };
    expect(unevenVerdict(small, 1)).toBe('too little to matter');
  });

  it('are told in a sentence with what they cost', () => {
    expect(unevenSentence(job, jobProfile.fn('solve'))).toBe(
      'Rank 3 works 9.00 s in it with what it calls, the mean is 4.75 s: evening it out would save up to 4.25 s, 43 % of the job.',
    );
    expect(unevenSentence(job, jobProfile.fn('main'))).toContain('not distinguishable from sampling noise');
    expect(unevenSentence(job, jobProfile.fn('exchange'))).toBeNull();
  });
});
