import { describe, expect, it } from 'vitest';
import { byLoss, fieldOf, readScaling } from '../src/screens/scaling/scaling_data';
import { scalingCsv, shownCounts } from '../src/screens/scaling/scaling_table';
import { scalingText, scalingTitle } from '../src/screens/scaling/scaling_words';

const point = (time: number, speedup: number | null, loss: number | null) => ({
  time,
  hits: 1,
  speedup,
  efficiency: speedup === null ? null : speedup / 4,
  serial_fraction: null,
  loss,
});
const row = (name: string, points: unknown[]) => ({
  name,
  file: 'src/stage.py',
  first_line: 10,
  points,
  model: null,
});
const study = {
  schema_version: 1,
  kind: 'pyrometer-scale',
  metric: 'wall',
  unit: 'ns',
  sampled: false,
  scaling: 'strong',
  time: 'max',
  counts: [2, 8],
  reference: 2,
  total: {
    points: [point(84e9, 1, 0), point(31e9, 2.71, 0.323)],
    model: null,
    no_model: 'there are 2 counts, and a model needs 4',
  },
  rows: [
    row('small', [point(1e9, 1, 0), point(1e9, 1, 0.02)]),
    row('Stage.Run', [point(80e9, 1, 0), point(25e9, 3.2, 0.16)]),
    row('late', [null, point(2e9, null, null)]),
  ],
};

describe('a scaling study', () => {
  const read = readScaling(study);

  it('is read as pyrometer scale writes it', () => {
    expect(read.counts).toEqual([2, 8]);
    expect(read.isSlowestRank).toBe(true);
    expect(read.rows[1].place).toBe('stage.py:10');
    expect(read.rows[2].points[0]).toBeNull();
    expect(fieldOf(read.rows[1], 'speedup')).toEqual(Float64Array.of(1, 3.2));
    expect(fieldOf(read.rows[2], 'speedup')).toEqual(Float64Array.of(NaN, NaN));
  });

  it('puts first what loses most, last what has no loss', () => {
    expect(byLoss(read.rows).map((each) => each.name)).toEqual(['Stage.Run', 'small', 'late']);
  });

  it('is told in sentences', () => {
    expect(scalingTitle(read)).toBe('8 processes run 2.7 times as fast as 2; 4 times would be ideal');
    expect(scalingText(read)).toBe(
      'Efficiency 68 %: 32 % of the processors’ time is lost. Most is lost in Stage.Run (stage.py:10): ' +
        '16 % of the run’s time. More counts cannot be foretold: there are 2 counts, and a model needs 4.',
    );
  });

  it('says when more processes are slower, and where the model ends', () => {
    const slower = readScaling({
      ...study,
      total: {
        points: [point(10, 1, 0), point(20, 0.5, 0.9)],
        model: {
          ...{ constant: 1, parallel: 1, logarithmic: 0, linear: 1, error: 0.1 },
          largest_count: 32,
          fastest_count: 5.7,
        },
      },
      rows: [],
    });
    expect(scalingTitle(slower)).toBe('8 processes are slower than 2');
    expect(scalingText(slower)).toBe(
      'Efficiency 13 %: 88 % of the processors’ time is lost. It stops getting faster at about 6 processes.',
    );
  });

  it('shows six counts at most, with the first and the last', () => {
    expect(shownCounts(3)).toEqual([0, 1, 2]);
    expect(shownCounts(11)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(shownCounts(1)).toEqual([0]);
  });

  it('is a CSV with the whole first', () => {
    const rows = scalingCsv(read, read.rows);
    expect(rows[0].slice(0, 5)).toEqual(['name', 'place', 'source', 'time_2', 'speedup_2']);
    expect(rows[1].slice(0, 5)).toEqual(['the whole', '', '', 84e9, 1]);
    expect(rows[4].slice(3)).toEqual(['', '', '', '', '', 2e9, '', '', '', '']);
  });

  it('is refused with a sentence when it is damaged', () => {
    expect(() => readScaling(null)).toThrow('The answer is damaged: the study is no object.');
    expect(() => readScaling({ ...study, counts: [2] })).toThrow('One count of processes alone');
    expect(() => readScaling({ ...study, counts: ['a', 'b'] })).toThrow('a count is none');
    expect(() => readScaling({ ...study, unit: 'miles' })).toThrow('the unit is unknown');
    expect(() => readScaling({ ...study, rows: [row('x', [null])] })).toThrow('one point per count');
  });
});
