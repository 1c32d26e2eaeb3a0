import { describe, expect, it } from 'vitest';
import { sumBy } from '../src/app/kind_bars';
import { makeFunctionRows } from '../src/model/functions';
import { linesAsCsv } from '../src/screens/source/csv';
import { fileRows } from '../src/screens/source/files';
import {
  allLines,
  foldLines,
  hotLines,
  hottestLine,
  indexOfLine,
  measuredLines,
  nextHotLine,
} from '../src/screens/source/folding';
import { Highlighter, splitLines } from '../src/screens/source/highlight';
import { callsFromLine, callSitesOf, functionsAt } from '../src/screens/source/line_calls';
import {
  heatOf,
  linesOfNodes,
  makeFileValues,
  makeValuesByFunction,
  memoryOfLines,
  metricByLine,
} from '../src/screens/source/line_values';
import { makeProfile } from './make_profile';

describe('highlighting', () => {
  const lines = ['def f(x):', '    return "a" + x  # why', '', 'doc = """one', 'two"""', 'y = 1'];
  const done = new Highlighter(lines);
  done.advance(Infinity);
  const styled = (line: number) => done.spans(line).map(({ text, style }) => `${style || '-'}:${text}`);

  it('names keywords, strings, numbers, comments and definitions', () => {
    expect(styled(1)).toEqual(['keyword:def', '-: ', 'name:f', '-:(x):']);
    expect(styled(2)).toEqual(['-:    ', 'keyword:return', '-: ', 'string:"a"', '-: + x  ', 'comment:# why']);
    expect(styled(6)).toEqual(['-:y = ', 'number:1']);
  });

  it('knows strings over several lines', () => {
    expect(styled(4)).toEqual(['-:doc = ', 'string:"""one']);
    expect(styled(5)).toEqual(['string:two"""']);
  });

  it('gives plain text before it is done, nothing for empty lines and lines that do not exist', () => {
    const fresh = new Highlighter(lines);
    expect(fresh.spans(1)).toEqual([{ text: 'def f(x):', style: '' }]);
    expect(done.spans(3)).toEqual([]);
    expect(done.spans(99)).toEqual([]);
  });

  it('keeps every letter of text that is no Python', () => {
    const odd = ['def ((( """', '</script><img onerror=x>', '\t\u202e\ud800 end'];
    const broken = new Highlighter(odd);
    expect(broken.advance(Infinity)).toBe(true);
    odd.forEach((line, i) =>
      expect(
        broken
          .spans(i + 1)
          .map((span) => span.text)
          .join(''),
      ).toBe(line),
    );
  });

  it('works in slices of time', () => {
    const long = new Highlighter(Array.from({ length: 10_000 }, (_, i) => `x${i} = f(${i})`));
    expect(long.advance(0)).toBe(false);
    expect(long.advance(Infinity)).toBe(true);
    expect(long.spans(10_000).at(-2)).toEqual({ text: '9999', style: 'number' });
  });

  it('splits lines as Python does', () => {
    expect(splitLines('a\r\nb\rc\n')).toEqual(['a', 'b', 'c']);
    expect(splitLines('a\u2028b\fc')).toEqual(['a\u2028b\fc']);
    expect(splitLines('')).toEqual([]);
    expect(splitLines('\n')).toEqual(['']);
  });
});

describe('folding', () => {
  it('hides what is far from measured lines', () => {
    const recorded = new Uint8Array(31);
    recorded[10] = 1;
    const shown = foldLines(recorded, 30, new Set());
    expect(shown[0]).toEqual({ line: 1, folded: 7 });
    expect(shown.slice(1, -1).map((row) => row.line)).toEqual([8, 9, 10, 11, 12]);
    expect(shown.at(-1)).toEqual({ line: 13, folded: 18 });
  });

  it('shows folds that were opened, and never hides two or three lines', () => {
    const recorded = new Uint8Array(16);
    recorded[1] = recorded[9] = 1;
    expect(foldLines(recorded, 15, new Set()).filter((row) => row.folded > 0)).toEqual([
      { line: 12, folded: 4 },
    ]);
    expect(foldLines(recorded, 15, new Set([12]))).toEqual(allLines(15));
  });

  it('hides a file where nothing was measured, and stands an empty one', () => {
    expect(foldLines(new Uint8Array(11), 10, new Set())).toEqual([{ line: 1, folded: 10 }]);
    expect(foldLines(new Uint8Array(1), 0, new Set())).toEqual([]);
    expect(measuredLines(Uint8Array.of(0, 1, 0, 1))).toEqual([
      { line: 1, folded: 0 },
      { line: 3, folded: 0 },
    ]);
  });

  it('finds lines among those shown, also inside a fold', () => {
    const shown = [
      { line: 1, folded: 0 },
      { line: 2, folded: 50 },
      { line: 52, folded: 0 },
    ];
    expect(indexOfLine(shown, 40)).toBe(1);
    expect(indexOfLine(shown, 52)).toBe(2);
    expect(indexOfLine([], 5)).toBe(-1);
  });

  it('goes from hot line to hot line', () => {
    const heat = Float64Array.of(0, 0, 500, 1, 0, 100);
    expect(hotLines(heat)).toEqual([2, 5]);
    expect(nextHotLine([2, 5], 2, 1)).toBe(5);
    expect(nextHotLine([2, 5], 5, 1)).toBe(5);
    expect(nextHotLine([2, 5], 3, -1)).toBe(2);
    expect(nextHotLine([], 3, 1)).toBe(0);
    expect(hottestLine(heat)).toBe(2);
    expect(hottestLine(new Float64Array(4))).toBe(0);
  });
});

const profile = makeProfile(
  [
    [0, 'main', 1, 12],
    [1, 'solve', 4, 3],
    [2, 'dot', 8],
    [2, 'solve', 2, 4],
    [1, 'solve', 16, 4],
    [2, 'dot', 32],
  ],
  {
    main: { file: '/p/run.py', line: 10 },
    solve: { file: '/p/run.py', line: 2 },
    dot: { file: '/lib/np.py', line: 7, origin: 1 },
    cold: { file: '/p/run.py', line: 20 },
  },
);
const { tables, tree } = profile;
const run = tables.functions.file[profile.fn('main')];
const library = tables.functions.file[profile.fn('dot')];

describe('values by line', () => {
  const exact = {
    function: Uint32Array.of(profile.fn('solve'), profile.fn('solve'), profile.fn('dot')),
    line: Uint32Array.of(3, 25, 1),
    hits: Float64Array.of(100, 0, 5),
    time: Float64Array.of(700, 0, 9),
    self: Float64Array.of(0, 0, 0),
  };

  it('are those of the tree, longer than the text if need be', () => {
    const values = makeFileValues(tree, tables, run, 5, null);
    expect(values.lines).toBe(12);
    expect([values.self[3], values.self[4], values.self[12]]).toEqual([4, 18, 1]);
    expect([values.total[3], values.total[4], values.total[12]]).toEqual([14, 50, 63]);
    expect([...values.recorded].flatMap((is, line) => (is ? [line] : []))).toEqual([3, 4, 12]);
    expect(values.isByFunction).toBe(false);
    expect(values.exact).toBeNull();
  });

  it('have exact hits and times of the same file only', () => {
    const values = makeFileValues(tree, tables, run, 5, exact);
    expect(values.lines).toBe(25);
    expect(values.exact?.hits[3]).toBe(100);
    expect(values.exact?.time[1]).toBe(0);
    expect(values.recorded[25]).toBe(0); // no hit: it did not run
    expect(heatOf(values)).toBe(values.self);
  });

  it('have memory of lines: levels are the most, the rest adds up', () => {
    const measured = memoryOfLines(
      {
        ...exact,
        memory: exact.hits.map(() => 7),
        increment: exact.hits.map(() => -1),
        peak: exact.hits.map((_, i) => i),
        temporary: exact.hits.map(() => 0),
      },
      tables,
      run,
      30,
    );
    expect([...measured.keys()]).toEqual(['increment', 'memory', 'peak']);
    expect(measured.get('memory')?.[3]).toBe(7);
    expect(measured.get('increment')?.[3]).toBe(-1);
    expect(measured.get('increment')?.length).toBe(31);
  });

  it('stand where functions begin when lines are not known', () => {
    const values = makeFileValues(tree, tables, library, 9, null);
    expect(values.isByFunction).toBe(true);
    expect(values.self[7]).toBe(40);
  });

  it('are those of functions where only these were measured', () => {
    const values = makeValuesByFunction(makeFunctionRows(tree), tables, run, 5);
    expect(values.lines).toBe(10);
    expect([values.self[2], values.self[10], values.total[2], values.total[10]]).toEqual([22, 1, 62, 63]);
    expect(values.isByFunction).toBe(true);
    expect(makeValuesByFunction(makeFunctionRows(tree), tables, 99, 3).recorded).toEqual(new Uint8Array(4));
  });

  it('add up kinds and other metrics', () => {
    const lines = linesOfNodes(tree, tables, run);
    expect([...lines]).toEqual([12, 3, 0, 4, 4, 0]);
    const python = sumBy(lines, Float64Array.of(1, 2, 3, 4, 5, 6), null, 13);
    expect([python[3], python[4], python[12]]).toEqual([2, 9, 1]);
    const left = Float64Array.of(1, 1, 1, 0, 1, 1); // the path filter has taken one
    expect(sumBy(lines, Float64Array.of(1, 2, 3, 4, 5, 6), left, 13)[4]).toBe(5);
    const metric = { name: 'peak', label: 'Peak', unit: 'bytes', total: 9 } as const;
    const memory = Float64Array.of(1, 2, 3, 7, 5, 6);
    expect(metricByLine({ ...metric, combine: 'max' }, memory, lines, 12)[4]).toBe(7);
    expect(metricByLine({ ...metric, combine: 'sum' }, memory, lines, 12)[4]).toBe(12);
  });

  it('become a file', () => {
    const values = makeFileValues(tree, tables, run, 5, exact);
    expect(linesAsCsv(values, ['a', 'b', 'c,d'], 'ns')).toEqual([
      ['line', 'self_ns', 'total_ns', 'hits', 'time_ns', 'code'],
      [3, 4, 14, 100, 700, 'c,d'],
      [4, 18, 50, 0, 0, ''],
      [12, 1, 63, 0, 0, ''],
    ]);
  });
});

describe('calls from lines', () => {
  it('lead to callees, recursion once', () => {
    expect(callsFromLine(tree, tables, run, 12)).toEqual([
      { function: profile.fn('solve'), line: 2, total: 62 },
    ]);
    expect(callsFromLine(tree, tables, run, 3).map(({ function: fn, total }) => [fn, total])).toEqual([
      [profile.fn('dot'), 8],
      [profile.fn('solve'), 2],
    ]);
    expect(callsFromLine(tree, tables, run, 999)).toEqual([]);
  });

  it('lead back to callers with their lines', () => {
    expect(callSitesOf(tree, profile.fn('dot'))).toEqual([
      { function: profile.fn('solve'), line: 4, total: 32 },
      { function: profile.fn('solve'), line: 3, total: 8 },
    ]);
    expect(callSitesOf(tree, profile.fn('main'))).toEqual([]);
  });

  it('know whose a line is', () => {
    expect(functionsAt(tree, tables, run, 4)).toEqual([profile.fn('solve')]);
    expect(functionsAt(tree, tables, run, 30)).toEqual([profile.fn('cold')]); // the last one that begins above
    expect(functionsAt(tree, tables, run, 1)).toEqual([]);
  });
});

describe('files', () => {
  it('are sorted by own value, with own code named', () => {
    const rows = fileRows(makeFunctionRows(tree), tables, null);
    expect(rows.map((row) => [row.name, row.self, row.total, row.isOwn])).toEqual([
      ['np.py', 40, 40, false],
      ['run.py', 23, 63, true],
    ]);
  });

  it('are those with a function that matches', () => {
    const matches = Uint8Array.from({ length: 4 }, (_, fn) => (fn === profile.fn('main') ? 1 : 0));
    expect(fileRows(makeFunctionRows(tree), tables, matches).map((row) => row.name)).toEqual(['run.py']);
  });
});
