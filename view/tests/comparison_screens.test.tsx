// The screens that compare, as a person finds them: with data, without, and when something fails.
import { render } from 'preact';
import { describe, expect, it } from 'vitest';
import { goTo } from '../src/app/address';
import { source } from '../src/app/store';
import type { DataSource, RankValues, Tables } from '../src/data/types';
import { Kind } from '../src/data/types';
import { DiffScreen } from '../src/screens/diff/screen';
import { RanksScreen } from '../src/screens/ranks/screen';
import { ScalingScreen } from '../src/screens/scaling/screen';
import { WaitsScreen } from '../src/screens/waits/screen';
import { eventually } from './eventually';
import { makeMetric, makeSource, makeSummary } from './fake_source';
import { makeProfile } from './make_profile';
import { button, place, shows, useStage } from './stage';

useStage({ 'ranks-table': null, 'waits-by': null, processes: null, function: null });

const small = makeProfile([[0, 'main', 1e9, 3]], { main: { file: '/run.py', line: 1 } });
const alone = makeSource(makeSummary([makeMetric('wall')]), small.tables);

describe('ranks', () => {
  const tables: Tables = {
    ...small.tables,
    processes: {
      count: 3,
      rank: Int32Array.of(0, 1, 2),
      host: new Uint32Array(3),
      pid: Float64Array.of(1, 2, 3),
      start: new Float64Array(3),
      duration: new Float64Array(3),
      status: new Uint8Array(3),
    },
  };
  const values: RankValues = {
    process: Uint32Array.of(0, 1, 2),
    function: Uint32Array.of(0),
    value: Float64Array.of(1e9, 1e9, 4e9),
    minimum: Float64Array.of(1e9),
    median: Float64Array.of(1e9),
    maximum: Float64Array.of(4e9),
    mean: Float64Array.of(2e9),
    deviation: Float64Array.of(1.41e9),
  };
  const job = (ranks: DataSource['ranks']) =>
    makeSource(makeSummary([makeMetric('wall')], { ranks: true }), tables, { ranks });

  it('say how evenly they work and who is far out', async () => {
    source.value = job(() => Promise.resolve(values));
    goTo('ranks');
    render(<RanksScreen />, place);
    await shows('The busiest rank works 2.0 times as long as the mean');
    expect(place.textContent).toContain('Load balance 50 % (mean over maximum of wall time)');
    await shows('4.00 s (2.00 × mean)');
    button('rank 2').click();
    await shows('All other screens now show rank 2 only');
    expect(location.hash).toContain('processes=2');
  });

  it('have the same figures in tables', async () => {
    source.value = job(() => Promise.resolve(values));
    goTo('ranks', { 'ranks-table': 1 });
    render(<RanksScreen />, place);
    await eventually(() => expect(place.querySelectorAll('[role=grid]')).toHaveLength(2));
    expect(place.querySelector('[role=row].on')?.textContent).toContain(
      'main1.00 s1.00 s2.00 s4.00 s1.41 s2.00 s2.00rank 2',
    );
  });

  it('need more than one process', async () => {
    source.value = alone;
    goTo('ranks');
    render(<RanksScreen />, place);
    await shows('mpirun -n 4 pyrometer run script.py');
  });

  it('say why they cannot be compared', async () => {
    source.value = job(() => Promise.reject(new Error('Ranks were not kept apart.')));
    goTo('ranks');
    render(<RanksScreen />, place);
    await shows('Ranks were not kept apart.');
  });
});

describe('waits', () => {
  const profile = makeProfile(
    [
      [0, 'main', 0, 3],
      [1, '(futex)', 0],
    ],
    { main: { file: '/run.py', line: 1 } },
  );
  profile.tables.functions.kind[profile.fn('(futex)')] = Kind.label;
  const waiting = makeSource(
    makeSummary([makeMetric('wall'), makeMetric('python', 'ns', 3e9), makeMetric('lock-wait', 'ns', 1e9)]),
    profile.tables,
    {
      values: (_, names) =>
        Promise.resolve(
          new Map(
            names.map((name) => [
              name,
              name === 'lock-wait' ? Float64Array.of(0, 1e9) : Float64Array.of(3e9, 0),
            ]),
          ),
        ),
    },
  );

  it('say who waits for what', async () => {
    source.value = waiting;
    goTo('waits');
    render(<WaitsScreen />, place);
    await shows('25 % of the threads’ time is waiting; the largest part is waiting for a lock');
    expect(place.querySelector('[role=row][aria-rowindex="2"]')?.textContent).toBe(
      'mainrun.py:31.00 s25 %waiting for a lock 1.00 sa lock, a condition or a thread (futex)',
    );
    button('By what is waited for').click();
    await shows('main run.py:3');
  });

  it('name what to record where nothing is known', async () => {
    source.value = alone;
    goTo('waits');
    render(<WaitsScreen />, place);
    await shows('pyrometer run script.py');
  });
});

describe('scaling', () => {
  it('needs several runs', async () => {
    source.value = alone;
    goTo('scaling');
    render(<ScalingScreen />, place);
    await shows('pyrometer view RUN-2 RUN-4 RUN-8');
  });

  it('says why runs cannot be compared, and what to do', async () => {
    const scaling = () => Promise.reject(new Error('Both runs have 4 processes.'));
    source.value = makeSource(makeSummary([makeMetric('wall')]), small.tables, { scaling }, 2);
    goTo('scaling');
    render(<ScalingScreen />, place);
    await shows('Both runs have 4 processes.');
    expect(place.textContent).toContain('pyrometer view RUN-2 RUN-4 RUN-8');
  });
});

describe('compare', () => {
  const total = { before: 1e9, after: 2e9, change: 1e9, relative: 1, margin: 0, sure: true };
  const answer = {
    ...{ unit: 'ns', sampled: false, scale: 1, total },
    rows: [{ ...total, name: 'main', file: 'run.py', first_line: 1, hits_before: 1, hits_after: 1 }],
  };

  it('needs two profiles', async () => {
    source.value = alone;
    goTo('diff');
    render(<DiffScreen />, place);
    await shows('pyrometer view before after');
  });

  it('says what became slower', async () => {
    const asked: unknown[] = [];
    const diff: DataSource['diff'] = (...question) => {
      asked.push(question);
      return Promise.resolve(answer);
    };
    source.value = makeSource(makeSummary([makeMetric('wall')]), small.tables, { diff }, 2);
    goTo('diff');
    render(<DiffScreen />, place);
    await shows('100 % slower than before');
    await shows('+1.00 s+100 %1.00 s2.00 sexactmainrun.py:11');
    button('Swap').click();
    await eventually(() => expect(asked.at(-1)).toEqual([1, 0, 'wall', 'functions', false]));
  });

  it('refuses an answer that is damaged', async () => {
    const diff = () => Promise.resolve({ unit: 'ns' });
    source.value = makeSource(makeSummary([makeMetric('wall')]), small.tables, { diff }, 2);
    goTo('diff', { before: null, after: null });
    render(<DiffScreen />, place);
    await shows('The answer is damaged');
  });
});
