import { describe, expect, it } from 'vitest';
import { filterTree, matchedShare, matchFunctions, parseSearch } from '../src/model/search';
import { makeProfile, makeRecursion } from './make_profile';

const profile = makeProfile(
  [
    [0, 'main', 1],
    [1, 'Solver.solve', 2],
    [2, 'dot', 3],
    [2, 'Solver.solve', 4],
    [1, 'read_csv', 10],
  ],
  {
    main: { file: '/home/me/wave.py', line: 52, module: 'wave' },
    'Solver.solve': { file: '/home/me/wave.py', line: 9, module: 'wave' },
    dot: { module: 'numpy.core' },
    read_csv: { file: '/lib/io.py', line: 1, module: 'pandas' },
  },
);
const matches = (text: string) => {
  const found = matchFunctions(parseSearch(text), profile.tables);
  return ['main', 'Solver.solve', 'dot', 'read_csv'].filter((name) => found[profile.fn(name)] === 1);
};

describe('a search', () => {
  it.each([
    ['', ['main', 'Solver.solve', 'dot', 'read_csv']],
    ['  ', ['main', 'Solver.solve', 'dot', 'read_csv']],
    ['solve', ['Solver.solve']],
    ['SOLVE', []],
    ['Solve', ['Solver.solve']],
    ['^d.t$', ['dot']],
    ['wave', ['main', 'Solver.solve']],
    ['wave\\.PY', []],
    ['\\Wcore', ['dot']],
    ['wave.py:52', ['main']],
    ['-wave', ['dot', 'read_csv']],
    ['wave -solve', ['main']],
    ['s o l', ['Solver.solve']],
    ['numpy|pandas', ['dot', 'read_csv']],
    ['-', ['main', 'Solver.solve', 'dot', 'read_csv']],
    ['home', []], // folders are not searched: everything would match
  ])('for “%s” finds %j', (text, expected) => {
    expect(parseSearch(text).error).toBe('');
    expect(matches(text)).toEqual(expected);
  });

  it('for what is no regular expression says so and goes by letters', () => {
    expect(parseSearch('solve(').error).toBe(
      '“solve(” is no regular expression; it is looked for letter by letter.',
    );
    expect(matches('solve(')).toEqual([]);
    expect(matches('-*')).toEqual(['main', 'Solver.solve', 'dot', 'read_csv']);
    expect(parseSearch('[a -(').error).toContain('“[a”');
  });
});

describe('the matched share', () => {
  it('counts the outermost match only', () => {
    const found = matchFunctions(parseSearch('solve|dot'), profile.tables);
    expect(matchedShare(profile.tree, found)).toBeCloseTo(9 / 20);
    const { tree } = makeRecursion(10_000);
    expect(matchedShare(tree, Uint8Array.of(1))).toBe(1);
  });

  it('of nothing is nothing', () => {
    expect(matchedShare(makeProfile([]).tree, new Uint8Array(0))).toBe(0);
    expect(matchedShare(makeProfile([[0, 'main', 0]]).tree, Uint8Array.of(1))).toBe(0);
  });
});

describe('a filtered tree', () => {
  it('has only what goes through a match, in the same rows', () => {
    const found = matchFunctions(parseSearch('solve'), profile.tables);
    const filtered = filterTree(profile.tree, found);
    expect(filtered.self).toEqual(Float64Array.of(0, 2, 3, 4, 0));
    expect(filtered.total).toEqual(Float64Array.of(9, 9, 3, 4, 0));
    expect(filtered.whole).toBe(9);
    expect(filtered.parent).toBe(profile.tree.parent);
    expect(profile.tree.whole).toBe(20);
  });
});
