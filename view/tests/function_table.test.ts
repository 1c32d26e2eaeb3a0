import { describe, expect, it } from 'vitest';
import { barPieces } from '../src/app/kind_bars';
import { makeFunctionRows } from '../src/model/functions';
import { csvOf } from '../src/parts/download';
import { shortPlace } from '../src/parts/place';
import { calleesByEdges, callersByEdges } from '../src/screens/functions/neighbours';
import {
  formatSorting,
  nextSorting,
  orderRows,
  parseSorting,
  textRanks,
} from '../src/screens/functions/order';
import { makeRows, perCall, rowName, rowsAsCsv, sortKey } from '../src/screens/functions/rows';
import { makeProfile } from './make_profile';

describe('order of rows', () => {
  const rows = Uint32Array.of(0, 1, 2, 3);

  it('is by number, equal ones as they were', () => {
    const key = Float64Array.of(2, 9, 2, 5);
    expect([...orderRows(rows, key, true)]).toEqual([1, 3, 0, 2]);
    expect([...orderRows(rows, key, false)]).toEqual([0, 2, 3, 1]);
  });

  it('is by text, of the rows that are given', () => {
    const ranks = textRanks(['b', 'a', 'z', 'c', 'a']);
    expect([...ranks]).toEqual([1, 0, 3, 2, 0]);
    expect([...orderRows(Uint32Array.of(3, 1, 0), ranks, false)]).toEqual([1, 0, 3]);
  });

  it('leaves the rows it was given alone', () => {
    orderRows(rows, Float64Array.of(1, 2, 3, 4), true);
    expect([...rows]).toEqual([0, 1, 2, 3]);
  });

  it('comes from the address and goes there', () => {
    const otherwise = { column: 'self', isDescending: true };
    expect(parseSorting('-total', ['self', 'total'], otherwise)).toEqual({
      column: 'total',
      isDescending: true,
    });
    expect(parseSorting('drop table', ['self'], otherwise)).toBe(otherwise);
    expect(formatSorting({ column: 'name', isDescending: false })).toBe('name');
  });

  it('turns around on the second click, and begins with the largest number', () => {
    const first = nextSorting({ column: 'self', isDescending: true }, 'total', true);
    expect(first).toEqual({ column: 'total', isDescending: true });
    expect(nextSorting(first, 'total', true).isDescending).toBe(false);
    expect(nextSorting(first, 'name', false).isDescending).toBe(false);
  });
});

describe('rows of the table', () => {
  const profile = makeProfile(
    [
      [0, 'main', 1],
      [1, 'solve', 6],
      [2, 'solve', 2],
      [2, '=cmd', 1],
    ],
    {
      main: { file: '/p/run.py', line: 1, module: 'run' },
      solve: { file: '/p/run.py', line: 9, module: 'run' },
      '=cmd': { module: 'evil' },
    },
  );
  const costs = { ...makeFunctionRows(profile.tree), calls: Float64Array.of(1, 4, 0), whole: 10 };
  const { tables } = profile;

  it('are functions that match', () => {
    const matches = Uint8Array.of(0, 1, 1);
    const rows = makeRows(costs, tables, 'function', matches);
    expect([...rows.matching]).toEqual([1, 2]);
    expect([...rows.total]).toEqual([10, 9, 1]);
    expect(perCall(rows, 1)).toBe(9 / 4);
    expect(perCall(rows, 2)).toBe(-1); // never called: no value, not infinity
    expect([...sortKey(rows, tables, 'name')]).toEqual([1, 2, 0]);
  });

  it('are files with at least one match, whole', () => {
    const rows = makeRows(costs, tables, 'file', Uint8Array.of(0, 1, 0));
    expect([...rows.matching].map((row) => rowName(rows, tables, row))).toEqual(['run.py']);
    expect(rows.self[0]).toBe(9);
    expect(rows.total[0]).toBe(10);
    expect(rows.members?.[0]).toBe(2);
    expect(rowName(rows, tables, 1)).toBe('no file');
  });

  it('become a file that no spreadsheet runs', () => {
    const rows = makeRows(costs, tables, 'function', null);
    const text = csvOf(rowsAsCsv(rows, tables, Uint32Array.of(1, 2), 'ns'));
    expect(text).toBe(
      'function,self_ns,self_share,total_ns,total_share,calls,total_ns_per_call,file,line,module\n' +
        'solve,8,0.8,9,0.9,4,2.25,/p/run.py,9,run\n' +
        "'=cmd,1,0.1,1,0.1,0,0,,0,evil\n",
    );
  });
});

describe('callers and callees by recorded calls', () => {
  const edges = {
    caller: Uint32Array.of(0, 0, 1, 2),
    callee: Uint32Array.of(1, 2, 2, 2),
    self: Float64Array.of(1, 2, 3, 4),
    total: Float64Array.of(5, 6, 7, 4),
    calls: Float64Array.of(1, 1, 3, 9),
  };

  it('are sorted by total and have recursion among them', () => {
    expect(callersByEdges(edges, 2).map((row) => [row.function, row.total, row.calls])).toEqual([
      [1, 7, 3],
      [0, 6, 1],
      [2, 4, 9],
    ]);
    expect(calleesByEdges(edges, 0).map((row) => row.function)).toEqual([2, 1]);
    expect(calleesByEdges(edges, 7)).toEqual([]);
  });
});

describe('pieces of a bar', () => {
  const kinds = [
    { kind: 'python', sums: Float64Array.of(30, 0) },
    { kind: 'native', sums: Float64Array.of(10, 0) },
  ];

  it('are the kinds, and waiting for what they do not explain', () => {
    expect(barPieces(kinds, 0, 50, 100)).toEqual([
      { id: 'python', share: 0.3 },
      { id: 'native', share: 0.1 },
      { id: 'waiting', share: 0.1 },
    ]);
  });

  it('are one where no kind is known, none of nothing', () => {
    expect(barPieces(kinds, 1, 50, 100)).toEqual([{ id: 'heat2', share: 0.5 }]);
    expect(barPieces([], 0, 0, 100)).toEqual([]);
    expect(barPieces(kinds, 0, 50, 0)).toEqual([]);
  });
});

describe('places', () => {
  it('lose folders, never the file and its line', () => {
    expect(shortPlace('wave.py:52')).toBe('wave.py:52');
    expect(shortPlace('/home/someone/project/deep/wave.py:52')).toBe('…/project/deep/wave.py:52');
    expect(shortPlace('/x/a_very_long_name_of_a_module_of_mine.py:7')).toBe(
      '…/a_very_long_name_of_a_module_of_mine.py:7',
    );
    expect(shortPlace('no_folders_but_quite_a_long_name.py:7')).toBe('no_folders_but_quite_a_long_name.py:7');
  });
});
