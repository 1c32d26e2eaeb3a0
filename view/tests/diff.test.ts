import { describe, expect, it } from 'vitest';
import { parseSearch } from '../src/model/search';
import { makeDiffFrames } from '../src/model/diff_tree';
import { changeStep, makeDiffPalette } from '../src/screens/diff/diff_colours';
import { readDifference, type Change } from '../src/screens/diff/diff_data';
import { describeChange, DiffLabels, makeDiffPicture } from '../src/screens/diff/diff_frames';
import { shownChanges } from '../src/screens/diff/diff_rows';
import { diffCsv } from '../src/screens/diff/diff_table';
import { chanceWords, diffText, diffTitle, relativeWords, signed } from '../src/screens/diff/diff_words';
import { makeProfile } from './make_profile';

const row = (name: string, before: number | null, after: number | null, sure: boolean, margin = 0) => ({
  name,
  file: 'pkg/a.py',
  first_line: 25,
  before,
  after,
  change: (after ?? 0) - (before ?? 0),
  relative: before ? ((after ?? 0) - before) / before : null,
  margin,
  sure,
  hits_before: 10,
  hits_after: 10,
});
const answer = {
  schema_version: 1,
  kind: 'pyrometer-diff',
  metric: 'wall',
  unit: 'ns',
  sampled: true,
  scale: 1,
  total: { before: 3e9, after: 3.7e9, change: 0.7e9, relative: 0.2333, margin: 1e7, sure: true },
  rows: [
    row('save', null, 9e8, true),
    row('load', 5e8, null, true),
    row('solve', 2e9, 2.3e9, true, 1e8),
    row('noise', 1e8, 1.1e8, false, 5e7),
    row('same', 4e8, 4e8, true),
  ],
};

const change = (part: Partial<Change>): Change => ({
  before: 2,
  after: 1,
  change: -1,
  relative: -0.5,
  margin: 0,
  isSure: true,
  ...part,
});

describe('a comparison', () => {
  const found = readDifference(answer);

  it('is read as pyrometer diff writes it', () => {
    expect(found.rows.length).toBe(5);
    expect(found.rows[0].before).toBeNull();
    expect(found.rows[2].place).toBe('a.py:25');
  });

  it('is told in words', () => {
    expect(diffTitle(found)).toBe('23 % slower than before');
    expect(diffText(found)).toBe(
      '3.00 s before, 3.70 s after (+700 ms). 3 of 5 rows changed by more than chance explains.',
    );
    expect(diffTitle(found, true)).toBe('The lines together are 23 % slower than before');
    const total = { ...found.total, change: -1e6, relative: -0.0003, isSure: false };
    expect(diffTitle({ ...found, total })).toBe('The two differ no more than chance explains');
    expect(diffTitle({ ...found, scale: 0.8 })).toBe('How the shares changed');
    expect(diffTitle({ ...found, total: { ...total, isSure: true, relative: -0.5 } })).toBe(
      '50 % faster than before',
    );
  });

  it('always has the sign of a change', () => {
    expect(signed(3e8, 'ns')).toBe('+300 ms');
    expect(signed(-1024, 'bytes')).toBe('−1.00 KiB');
    expect(signed(0, 'ns')).toBe('±0');
    expect(relativeWords(change({}))).toBe('−50 %');
    expect(relativeWords(change({ before: null }))).toBe('new');
    expect(relativeWords(change({ after: null }))).toBe('gone');
    expect(relativeWords(change({ before: 0, relative: null }))).toBe('');
  });

  it('says what chance may explain', () => {
    expect(chanceWords(change({}), 'ns')).toBe('exact');
    expect(chanceWords(change({ margin: 1e6 }), 'ns')).toBe('±1.00 ms');
    expect(chanceWords(change({ margin: 1e6, isSure: false }), 'ns')).toBe('may be chance');
  });

  it('shows what surely changed, or everything, and what is searched for', () => {
    const names = (isAll: boolean, words: string) =>
      shownChanges(found.rows, isAll, parseSearch(words)).map((each) => each.name);
    expect(names(false, '')).toEqual(['save', 'load', 'solve']);
    expect(names(true, '')).toEqual(['save', 'load', 'solve', 'noise', 'same']);
    expect(names(true, '^s -solve')).toEqual(['save', 'same']);
    expect(names(true, 'a.py:25')).toHaveLength(5);
  });

  it('is a CSV', () => {
    expect(diffCsv(found.rows)[2].slice(0, 7)).toEqual(['load', 'a.py:25', '', 5e8, '', -5e8, -1]);
  });

  it('is refused with a sentence when it is damaged', () => {
    expect(() => readDifference([])).toThrow('The answer is damaged: the comparison is no object.');
    expect(() => readDifference({ ...answer, rows: {} })).toThrow('rows is no list');
    expect(() => readDifference({ ...answer, rows: [{ name: 3 }] })).toThrow('The answer is damaged');
    expect(() => readDifference({ ...answer, total: { ...answer.total, change: 'x' } })).toThrow(
      'change is no number',
    );
  });
});

describe('the icicle of both', () => {
  const facts = { main: { file: '/a.py' }, solve: { file: '/a.py', line: 3 }, old: { file: '/a.py' } };
  const before = makeProfile(
    [
      [0, 'main', 1e9],
      [1, 'solve', 2e9],
      [1, 'old', 1e9],
    ],
    facts,
  );
  const after = makeProfile(
    [
      [0, 'main', 1e9],
      [1, 'solve', 3e9],
    ],
    { main: facts.main, solve: facts.solve },
  );
  const picture = makeDiffPicture(makeDiffFrames(before, after), before.tables, after.tables, 1, 'ns');
  const labels = new DiffLabels(picture, (text) => text.length);

  it('says the change on each box', () => {
    const names = Array.from({ length: picture.frames.count }, (_, box) => labels.name(box)).sort();
    expect(names).toEqual(['+1.00 s solve', '±0 main', '−1.00 s old']);
    const solve = Array.from({ length: 3 }, (_, box) => box).find((box) =>
      labels.name(box).endsWith('solve'),
    )!;
    expect(describeChange(picture, solve)).toEqual([
      'solve',
      'a.py:3',
      '2.00 s before, 3.00 s after',
      '+1.00 s (+50 %)',
    ]);
  });

  it('scales values after where shares are compared', () => {
    const scaled = new DiffLabels({ ...picture, scale: 0.5 }, (text) => text.length);
    expect(Array.from({ length: 3 }, (_, box) => scaled.name(box))).toContain('−500 ms solve');
  });

  it('is coloured from gone to new', () => {
    expect(changeStep(5, 0)).toBe(0);
    expect(changeStep(5, 5)).toBe(8);
    expect(changeStep(0, 0)).toBe(8);
    expect(changeStep(0, 5)).toBe(16);
    expect(changeStep(1, 2)).toBe(12);
    const palette = makeDiffPalette(
      (name) => ({ same: '#808080', less: '#0000ff', more: '#ff8000' })[name] ?? '#ffffff',
    );
    expect(palette.fills).toHaveLength(17);
    expect(palette.fills[8]).toBe('#808080');
  });
});
