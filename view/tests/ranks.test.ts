import { describe, expect, it } from 'vitest';
import type { RankValues } from '../src/data/types';
import { heatSteps, HEAT_STEPS, makeTicks } from '../src/screens/ranks/heat_cells';
import { fitText } from '../src/screens/ranks/heat_draw';
import { heatSvg } from '../src/screens/ranks/heat_svg';
import { describeBalance } from '../src/screens/ranks/headline';
import { makeHistogram } from '../src/screens/ranks/histogram';
import {
  columnValues,
  fitColumns,
  groupAlike,
  inOrder,
  onlyFunctions,
  totalsOf,
} from '../src/screens/ranks/rank_order';
import { balanceOf, formatTimes, medianOf, outliersOf } from '../src/screens/ranks/statistics';

// `rows` by function, each with a value per rank.
function ranksOf(rows: readonly (readonly number[])[]): RankValues {
  const count = rows[0].length;
  const none = new Float64Array(rows.length);
  return {
    process: Uint32Array.from({ length: count }, (_, i) => i),
    function: Uint32Array.from(rows.keys()),
    value: Float64Array.from(rows.flat()),
    minimum: none,
    median: none,
    maximum: none,
    mean: none,
    deviation: none,
  };
}

const values = (...list: number[]) => Float64Array.from(list);

describe('statistics of ranks', () => {
  it('name the median of even and odd counts', () => {
    expect(medianOf(values(3, 1, 2))).toBe(2);
    expect(medianOf(values(4, 1, 2, 3))).toBe(2.5);
    expect(medianOf(values())).toBe(0);
  });

  it('find the one that is far out, in both directions, the farthest first', () => {
    expect(outliersOf(values(10, 10.1, 9.9, 10, 18, 10.05, 2))).toEqual([
      { rank: 4, value: 18 },
      { rank: 6, value: 2 },
    ]);
  });

  it('call small differences among equal values nothing', () => {
    expect(outliersOf(values(10, 10, 10, 10, 10.9))).toEqual([]);
    expect(outliersOf(values(10, 10, 10, 10, 12))).toEqual([{ rank: 4, value: 12 }]);
  });

  it('need three ranks, and values', () => {
    expect(outliersOf(values(1, 100))).toEqual([]);
    expect(outliersOf(values(0, 0, 0))).toEqual([]);
  });

  it('say how many times the mean a value is', () => {
    expect(formatTimes(3, 2)).toBe('1.50');
    expect(formatTimes(25, 2)).toBe('12.5');
    expect(formatTimes(1024, 1)).toBe('1,024');
    expect(formatTimes(1, 0)).toBe('–');
  });

  it('balance is mean over maximum', () => {
    expect(balanceOf(values(2, 2, 4, 4))).toBe(0.75);
    expect(balanceOf(values(0, 0))).toBeNull();
  });

  it('are told in a sentence', () => {
    expect(describeBalance(values(2, 2, 4, 4), 'rank 2 on a', 'rank', 'CPU time')).toEqual({
      title: 'The busiest rank works 1.3 times as long as the mean',
      figure: 'Load balance 75 % (mean over maximum of CPU time). ',
      text: 'While rank 2 on a works, 25 % of what the ranks could do is not done.',
    });
    expect(describeBalance(values(99, 100), 'process 5', 'process', 'wall time')?.title).toBe(
      'The processes carry an even load',
    );
    expect(describeBalance(values(0, 0), 'rank 0', 'rank', 'CPU time')).toBeNull();
    expect(describeBalance(values(5), 'rank 0', 'rank', 'CPU time')).toBeNull();
  });
});

describe('histogram', () => {
  it('counts values between the smallest and the largest', () => {
    const found = makeHistogram(values(0, 1, 2, 3, 4, 5, 6, 7, 8));
    expect(found.counts).toEqual(Uint32Array.of(3, 3, 3));
    expect(found.from).toBe(0);
    expect(found.width).toBeCloseTo(8 / 3);
  });

  it('has one bar for equal values, none for none', () => {
    expect(makeHistogram(values(5, 5, 5))).toEqual({ from: 5, width: 0, counts: Uint32Array.of(3) });
    expect(makeHistogram(values()).counts.length).toBe(0);
  });

  it('has at most 24 bars', () => {
    const found = makeHistogram(Float64Array.from({ length: 4096 }, (_, i) => i));
    expect(found.counts.length).toBe(24);
    expect(found.counts.reduce((sum, count) => sum + count, 0)).toBe(4096);
  });
});

describe('order of ranks', () => {
  const ranks = ranksOf([
    [10, 50, 10, 51],
    [90, 2, 91, 1],
  ]);

  it('is by number, those without one last', () => {
    expect(inOrder(ranks, 'number', Int32Array.of(3, -1, 0, 1))).toEqual(Uint32Array.of(2, 3, 0, 1));
  });

  it('is by total, the busiest first', () => {
    expect(totalsOf(ranks)).toEqual(values(100, 52, 101, 52));
    expect(inOrder(ranks, 'total', Int32Array.of(0, 1, 2, 3))).toEqual(Uint32Array.of(2, 0, 1, 3));
  });

  it('puts those side by side that spend their time alike', () => {
    const groups = groupAlike(ranks);
    expect(groups.count).toBe(2);
    expect(groups.tolerance).toBe(0.1);
    expect(groups.starts).toEqual(Uint32Array.of(0, 2, 4));
    expect(groups.members).toEqual(Uint32Array.of(0, 2, 1, 3));
    expect(inOrder(ranks, 'similarity', Int32Array.of(0, 1, 2, 3))).toEqual(groups.members);
  });

  it('puts the largest group first, and ranks that do nothing into one', () => {
    const groups = groupAlike(ranksOf([[7, 0, 0, 0]]));
    expect(groups.starts).toEqual(Uint32Array.of(0, 3, 4));
    expect(groups.members).toEqual(Uint32Array.of(1, 2, 3, 0));
  });

  it('is less strict where there would be too many groups', () => {
    const rows = Array.from({ length: 60 }, (_, row) =>
      Array.from({ length: 60 }, (_, rank) => (row === rank ? 30 : 1)),
    );
    const groups = groupAlike(ranksOf(rows)); // any two differ by 58 of 89
    expect(groups.tolerance).toBe(0.8);
    expect(groups.count).toBe(1);
  });

  it('makes at most 48 groups of ten thousand ranks that all differ', () => {
    const rows = Array.from({ length: 100 }, (_, row) =>
      Array.from({ length: 10_000 }, (_, rank) => ((rank * 7919 + row * 104_729) % 1000) + 1),
    );
    const groups = groupAlike(ranksOf(rows));
    expect(groups.count).toBeLessThanOrEqual(48);
    expect(new Set(groups.members).size).toBe(10_000);
  });

  it('combines ranks that share a column by the largest, groups by the mean', () => {
    const columns = fitColumns(Uint32Array.of(0, 1, 2, 3), 2);
    expect(columns.starts).toEqual(Uint32Array.of(0, 2, 4));
    expect(columnValues(ranks, columns, false)).toEqual(values(50, 51, 90, 91));
    expect(columnValues(ranks, groupAlike(ranks), true)).toEqual(values(10, 50.5, 90.5, 1.5));
  });

  it('leaves out functions that are not searched for', () => {
    const some = onlyFunctions(ranks, Uint8Array.of(0, 1));
    expect(some.function).toEqual(Uint32Array.of(1));
    expect(some.value).toEqual(values(90, 2, 91, 1));
    expect(onlyFunctions(ranks, new Uint8Array(2)).value.length).toBe(0);
  });

  it('has a column for each where there is room', () => {
    expect(fitColumns(Uint32Array.of(1, 0), 900).count).toBe(2);
    expect(fitColumns(Uint32Array.of(1, 0), 0).count).toBe(1);
  });
});

describe('cells of the heatmap', () => {
  it('are a share of the row or of everything; nothing stays nothing', () => {
    const cells = values(1, 2, 0, 100, 50, 0.001);
    expect(heatSteps(cells, 3, 'row')).toEqual(
      Uint8Array.of(HEAT_STEPS / 2, HEAT_STEPS, 0, HEAT_STEPS, 16, 1),
    );
    expect(heatSteps(cells, 3, 'all')).toEqual(Uint8Array.of(1, 1, 0, HEAT_STEPS, 16, 1));
    expect(heatSteps(values(), 0, 'row').length).toBe(0);
  });

  it('get numbers as far as there is room', () => {
    const ticks = makeTicks(64, 640, (place) => String(place));
    expect(ticks.map((tick) => tick.text)).toEqual(['0', '8', '16', '24', '32', '40', '48', '56']);
    expect(ticks[2].at).toBe(0.25);
    expect(makeTicks(0, 100, String)).toEqual([]);
    expect(makeTicks(5, -1, String)).toEqual([]);
  });

  it('are one box per colour in an SVG, with names that cannot break it', () => {
    const picture = {
      rows: 1,
      columns: 4,
      steps: Uint8Array.of(5, 5, 0, 32),
      labels: ['<script>"'],
      figures: ['1.50'],
      ticks: [{ at: 0, text: '0' }],
      axisTitle: 'rank',
      isMarked: new Uint8Array(4),
      row: -1,
      column: -1,
    };
    const ramp = Array.from({ length: HEAT_STEPS + 1 }, (_, i) => `#0000${i.toString(16).padStart(2, '0')}`);
    const colours = {
      panel: '#ffffff',
      ink: '#000000',
      soft: '#444444',
      accent: '#aa0000',
      accentSoft: '#ffeeee',
      ramp,
      pixels: new Uint32Array(33),
      sans: 'sans',
      mono: 'mono',
    };
    const svg = heatSvg(picture, colours, 692);
    expect(svg.match(/<rect x=/g)?.length).toBe(2);
    expect(svg).toContain('<rect x="236.00" y="24" width="200.00" height="17" fill="#000005"/>');
    expect(svg).toContain('&#60;script&#62;&#34;');
  });
});

describe('names that do not fit', () => {
  it('are cut in the middle', () => {
    const measure = (text: string) => text.length * 10;
    expect(fitText('solve', 50, measure)).toBe('solve');
    expect(fitText('Solver.assemble', 80, measure)).toBe('Sol…mble');
    expect(fitText('Solver', 5, measure)).toBe('…');
  });
});
