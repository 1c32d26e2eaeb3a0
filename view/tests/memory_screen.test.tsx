// The memory screen as a person finds it.
import { render } from 'preact';
import { describe, expect, it } from 'vitest';
import { goTo, param } from '../src/app/address';
import { source } from '../src/app/store';
import type { MemoryOfRun } from '../src/data/memory';
import { MemoryScreen } from '../src/screens/memory/screen';
import { eventually } from './eventually';
import { makeMetric, makeSource, makeSummary } from './fake_source';
import { makeMemory, memoryProfile, MIB } from './make_memory';
import { button, place, shows, useStage } from './stage';

const SPREAD = {
  ...{ of: 'ranks', heap: true, count: 2, imbalance: 1.125 },
  ...{ least: 700 * MIB, lowest: 0, mean: 800 * MIB, most: 900 * MIB, highest: 1 },
};
const twoRanks = {
  ...memoryProfile.tables,
  processes: {
    ...memoryProfile.tables.processes,
    count: 2,
    rank: Int32Array.of(0, 1),
    host: Uint32Array.of(0, 0),
    pid: Float64Array.of(10, 11),
  },
};

useStage({
  'memory-panel': null,
  'memory-by': null,
  at: null,
  from: null,
  to: null,
  processes: null,
});

function show(memory: MemoryOfRun | null, params = {}): void {
  const names = memory ? ['wall', 'peak'] : ['wall'];
  const metrics = names.map((name) => makeMetric(name, name === 'wall' ? 'ns' : 'bytes'));
  source.value = makeSource(
    makeSummary(metrics, { memory: memory !== null }),
    memoryProfile.tables,
    memory ? { memory: () => Promise.resolve(memory) } : {},
  );
  goTo('memory', params);
  render(<MemoryScreen />, place);
}

describe('the memory screen', () => {
  it('begins with the peak and who held it', async () => {
    show(makeMemory());
    await shows('Peak 700 MiB of heap at 3.00 s');
    await shows('Who held the peak');
    expect(place.querySelector('svg')?.getAttribute('aria-label')).toContain('Memory over time');
    const [first] = place.querySelectorAll('.vtable .row');
    expect(first.textContent).toContain('onesnumeric.py:7job.py:3600 MiB86 %');
  });

  it('tells what was live at a moment, and what came since another', async () => {
    show(makeMemory(), { 'memory-panel': 'moment', at: 3 });
    await shows('Live at 3.00 s: 520 MiB');
    goTo('memory', { at: 4, from: 1 });
    await shows('Live at 4.00 s: 560 MiB');
    await shows('Since 1.00 s');
    await shows('+50.0 MiB');
    await shows('-100 MiB');
  });

  it('takes the arrow keys and Enter on the curve for a moment', async () => {
    show(makeMemory());
    await shows('Peak 700 MiB');
    const svg = place.querySelector('.chart svg')!;
    for (const key of ['Home', 'ArrowRight', 'Enter']) {
      svg.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      await new Promise((done) => setTimeout(done));
    }
    await shows('Live at 3.00 s');
    expect(param('at').value).toBe('3');
  });

  it('has what grows, with a small curve', async () => {
    show(makeMemory());
    await shows('Growing (1)');
    button('Growing').click();
    await shows('15.0 MiB/s');
    expect(place.querySelector('.small-curve path')?.getAttribute('d')).toMatch(/^M/);
  });

  it('says that nothing grows', async () => {
    const none = Object.fromEntries(
      ['rate', 'growth', 'live'].map((name) => [`growing.${name}`, new Float64Array(0)]),
    );
    const rows = { 'growing.place': new Uint32Array(0), 'growing.processes': new Uint32Array(0) };
    show(makeMemory({ ...none, ...rows }), { 'memory-panel': 'growing' });
    await shows('Nothing keeps growing');
  });

  it('adds lines of a function up when that is wanted', async () => {
    show(makeMemory(), { 'memory-panel': 'live' });
    await shows('cache.py:4');
    button('By function').click();
    await eventually(() => expect(place.textContent).not.toContain('cache.py:4'));
    await shows('remembercache.py:1100 MiB');
  });

  it('has churn, untouched memory, sizes and processes', async () => {
    show(makeMemory(), { 'memory-panel': 'churn' });
    await shows('Allocated and freed again within 0.1 s');
    button('Untouched').click();
    await shows('never touched: pages that hold nothing yet');
    button('Sizes').click();
    await shows('8.00 MiB to 16.0 MiB30075 %');
    button('Processes').click();
    await shows('Of the limit');
  });

  it('reads the curves out to who walks along them', async () => {
    show(makeMemory());
    await shows('Peak 700 MiB');
    const svg = place.querySelector('.chart svg')!;
    expect(svg.getAttribute('tabindex')).toBe('0');
    svg.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    await eventually(() =>
      expect(svg.getAttribute('aria-label')).toContain('4.00 s, the limit: 1,000 MiB, heap: 650 MiB'),
    );
  });

  it('shows lines that were measured, and what happened inside them', async () => {
    const metrics = [makeMetric('increment', 'bytes', 5)];
    source.value = makeSource(makeSummary(metrics, { memory: true, lines: true }), memoryProfile.tables, {
      lines: () =>
        Promise.resolve({
          function: Uint32Array.of(0, 0),
          line: Uint32Array.of(2, 3),
          hits: Float64Array.of(1, 10),
          time: new Float64Array(2),
          self: new Float64Array(2),
          memory: Float64Array.of(2 ** 20, 3 * 2 ** 20),
          increment: Float64Array.of(0, 2 ** 21),
          peak: Float64Array.of(0, 2 ** 22),
          temporary: Float64Array.of(0, 2 ** 23),
        }),
    });
    goTo('memory');
    render(<MemoryScreen />, place);
    await shows('job.py:3 added 2.00 MiB, more than any other line');
    await shows('job.py:3main+2.00 MiB3.00 MiB4.00 MiB8.00 MiB10');
  });

  it('shows the memory of one process when that is chosen', async () => {
    const whole = makeMemory({}, { spread: SPREAD });
    const one = makeMemory({}, { is_of_some: true });
    const asked: (readonly number[] | undefined)[] = [];
    const metrics = [makeMetric('peak', 'bytes')];
    source.value = makeSource(makeSummary(metrics, { memory: true }), twoRanks, {
      memory: (_profile: number, processes?: readonly number[]) => {
        asked.push(processes);
        return Promise.resolve(processes ? one : whole);
      },
    });
    goTo('memory', { 'memory-panel': 'processes' });
    render(<MemoryScreen />, place);
    await shows('Peaks of 2 ranks: 700 MiB (rank 0) to 900 MiB (rank 1) of heap, 800 MiB on average');
    await shows('imbalance 1.13');
    const picker = place.querySelector<HTMLSelectElement>('.memory-of select')!;
    expect([...picker.options].map((option) => option.textContent)).toEqual([
      'all 2 processes',
      'rank 0',
      'rank 1',
    ]);
    picker.value = '1';
    picker.dispatchEvent(new Event('change', { bubbles: true }));
    await eventually(() => expect(asked).toEqual([undefined, [1]]));
    await eventually(() => expect(place.textContent).not.toContain('Peaks of 2 ranks'));
    expect(param('processes').value).toBe('1');
  });

  it('says so where a page has no memory of single processes', async () => {
    show(makeMemory(), { processes: '0' });
    await shows('This page has the memory of all processes together only');
    goTo('memory', { processes: null, from: 1, to: 2 });
    await shows('This screen shows all threads and all the time');
  });

  it('says how to record memory where there is none', async () => {
    show(null);
    await shows('pyrometer run --memory script.py');
  });
});
