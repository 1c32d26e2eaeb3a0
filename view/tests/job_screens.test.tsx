// A parallel job on the ranks and overview screens, as a person finds it.
import { render } from 'preact';
import { describe, expect, it } from 'vitest';
import { goTo } from '../src/app/address';
import { source } from '../src/app/store';
import { decodeParallel, type ParallelJob } from '../src/data/parallel_job';
import { OverviewScreen } from '../src/screens/overview/screen';
import { RanksScreen } from '../src/screens/ranks/screen';
import { eventually } from './eventually';
import { makeMetric, makeSource, makeSummary } from './fake_source';
import { jobAnswer, jobColumns, jobTables } from './make_job';
import { button, place, shows, useStage } from './stage';

useStage({
  'ranks-panel': null,
  'ranks-sort': null,
  processes: null,
  search: null,
  function: null,
});

function show(job: ParallelJob, screen: string, params = {}): void {
  source.value = makeSource(makeSummary([makeMetric('wall')], { ranks: true }), jobTables, {
    parallel: () => Promise.resolve(job),
  });
  goTo(screen, params);
  render(screen === 'ranks' ? <RanksScreen /> : <OverviewScreen />, place);
}

const job = decodeParallel(jobAnswer(), jobTables);

describe('the ranks screen of a job', () => {
  it('says how well the cores were used', async () => {
    show(job, 'ranks');
    await shows('The busiest rank works 1.9 times as long as the mean');
    await shows('Parallel efficiency48 %');
    await shows('4 ranks on 2 hosts');
    expect(place.querySelector('canvas')?.getAttribute('aria-label')).toContain('4 ranks');
  });

  it('says how many ranks are missing', async () => {
    show(decodeParallel(jobAnswer({}, { world_size: 16 }), jobTables), 'ranks');
    await shows('4 of 16 ranks on 2 hosts');
  });

  it('names the lines that call MPI and for whom they wait', async () => {
    show(job, 'ranks', { 'ranks-panel': 'mpi' });
    await shows('14.0 s · 35 %');
    await shows('rank 3 at solver.py:61, +5.67 s');
    const links = [...place.querySelectorAll('a')].map((each) => each.getAttribute('href') ?? '');
    expect(links.some((link) => link.startsWith('#/source?') && link.includes('line=88'))).toBe(true);
  });

  it('says when nothing calls MPI, or nothing matches', async () => {
    const empty = Object.entries(jobColumns)
      .filter(([name]) => /^(call|culprit)\./.test(name))
      .map(([name, known]) => [name, known.slice(0, 0)] as const);
    show(decodeParallel(jobAnswer(Object.fromEntries(empty)), jobTables), 'ranks', { 'ranks-panel': 'mpi' });
    await shows('No MPI calls were recorded');
    render(null, place);
    show(job, 'ranks', { 'ranks-panel': 'mpi', search: 'bcast' });
    await shows('None of the 2 lines that call MPI matches the search.');
  });

  it('tells noise from imbalance', async () => {
    show(job, 'ranks', { 'ranks-panel': 'uneven' });
    await shows('not distinguishable from noise');
    await shows('9.00 s · rank 3');
    await shows('4.25 s · 43 %');
  });

  it('has a table of ranks that sorts and narrows the scope', async () => {
    show(job, 'ranks', { 'ranks-panel': 'ranks' });
    await shows('rank 0 idle');
    button('Useful').click();
    await eventually(() => expect(place.querySelector('.vtable .row')?.textContent).toContain('rank 3'));
    button('rank 1').click();
    await shows('All other screens now show rank 1 only');
    expect(location.hash).toContain('processes=1-2');
  });

  it('switches between its tables in place', async () => {
    show(job, 'ranks');
    await shows('Uneven functions (1)');
    button('MPI calls (2)').click();
    await shows('Likely waits for');
    expect(location.hash).toContain('ranks-panel=mpi');
  });
});

describe('the overview of a job', () => {
  it('has the ranks in a strip with a way to them', async () => {
    show(job, 'overview');
    await shows('4 ranks on 2 hosts');
    await shows('Useful work is 48 % of their time.');
    expect(place.querySelector('.rank-strip a')?.getAttribute('href')).toMatch(/^#\/ranks/);
  });
});
