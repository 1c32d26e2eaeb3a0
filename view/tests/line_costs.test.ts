import { describe, expect, it } from 'vitest';
import { functionsOfLines, hottestOfLines } from '../src/model/line_costs';
import { makeProfile } from './make_profile';

const profile = makeProfile([], {
  f: { file: '/a.py', line: 1 },
  g: { file: '/a.py', line: 9 },
  cold: {},
});
const { tables } = profile;
const fn = (name: string) => profile.fn(name);
const lines = {
  function: Uint32Array.of(fn('f'), fn('f'), fn('g'), fn('cold')),
  line: Uint32Array.of(2, 3, 10, 1),
  hits: Float64Array.of(1, 100, 5, 0),
  time: Float64Array.of(10, 90, 50, 0),
  self: Float64Array.of(10, 40, 50, 0),
};

describe('functions of a profile of lines', () => {
  it('add up their lines, own and with what they call', () => {
    const rows = functionsOfLines(lines, 'time');
    expect([...rows.function]).toEqual([fn('f'), fn('g')]);
    expect([...rows.self]).toEqual([50, 50]);
    expect([...rows.total]).toEqual([100, 50]);
  });

  it('have hits too, and times as own where these were not told apart', () => {
    expect([...functionsOfLines(lines, 'hits').self]).toEqual([101, 5]);
    const unknown = { ...lines, self: new Float64Array(4) };
    expect([...functionsOfLines(unknown, 'time').self]).toEqual([100, 50]);
  });
});

describe('hottest lines of a profile of lines', () => {
  it('are sorted by own value, without lines that took nothing', () => {
    const hot = hottestOfLines(lines, tables, 'time', 2);
    expect(hot.map((each) => [each.line, each.self, each.total])).toEqual([
      [10, 50, 50],
      [3, 40, 90],
    ]);
    expect(hottestOfLines(lines, tables, 'hits', 9)).toHaveLength(3);
  });
});
