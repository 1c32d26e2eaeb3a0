import { describe, expect, it } from 'vitest';
import { colourIndexOf, functionColours, heatIndexOf } from '../src/model/colours';
import {
  formatCount,
  formatShare,
  formatValue,
  nameOf,
  placeOf,
  shareOf,
  shorten,
  visible,
} from '../src/model/format';
import { makeProfile } from './make_profile';

describe('values', () => {
  it.each([
    [0, '0 s'],
    [1, '1 ns'],
    [999, '999 ns'],
    [1500, '1.50 µs'],
    [12.4e6, '12.4 ms'],
    [999.4e6, '999 ms'],
    [999.6e6, '1.00 s'],
    [3.91e9, '3.91 s'],
    [9.996e9, '10.0 s'],
    [412e9, '412 s'],
    [86_400e9, '86,400 s'],
    [-2.5e9, '-2.50 s'],
    [Number.NaN, '–'],
    [Infinity, '–'],
  ])('%d ns are %s', (value, text) => {
    expect(formatValue(value, 'ns')).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [3.1 * 2 ** 30, '3.10 GiB'],
    [2 ** 52, '4,096 TiB'],
    [-(2 ** 20), '-1.00 MiB'],
    [Number.NaN, '–'],
  ])('%d bytes are %s', (value, text) => {
    expect(formatValue(value, 'bytes')).toBe(text);
  });

  it.each([
    [0, '0'],
    [1684, '1,684'],
    [1_234_567, '1,234,567'],
    [-1000, '-1,000'],
    [0.25, '0.25'],
    [12.34, '12.3'],
    [123.4, '123'],
    [1e30, '1.00e+30'],
    [Number.NaN, '–'],
  ])('%d is counted as %s', (value, text) => {
    expect(formatValue(value, 'count')).toBe(text);
    expect(formatCount(value)).toBe(text);
  });

  it.each([
    [0, '0 %'],
    [0.584, '58 %'],
    [0.0994, '9.9 %'],
    [0.0996, '10 %'],
    [0.042, '4.2 %'],
    [0.0004, '< 0.1 %'],
    [1, '100 %'],
    [-0.05, '-5.0 %'],
    [-0.0001, '> -0.1 %'],
    [Number.NaN, '–'],
  ])('a share of %d is %s', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });

  it('have no share of nothing', () => {
    expect([shareOf(1, 4), shareOf(1, 0), shareOf(0, 0), shareOf(Number.NaN, 1)]).toEqual([0.25, 0, 0, 0]);
  });
});

describe('names', () => {
  const { tables } = makeProfile([], {
    main: { file: '/a/wave.py', line: 52 },
    'libm.so.6': { file: '/usr/lib/libm.so.6' },
    len: {},
    '': {},
    'a\u202eb': { file: '/a/x\n.py', line: 1 },
  });

  it('come with their place', () => {
    expect([0, 1, 2, 3, 99].map((fn) => nameOf(tables, fn))).toEqual([
      'main',
      'libm.so.6',
      'len',
      '(no name)',
      '(no name)',
    ]);
    expect([0, 1, 2, 99].map((fn) => placeOf(tables, fn))).toEqual(['wave.py:52', '', '', '']);
    expect(placeOf(tables, 0, 61)).toBe('wave.py:61');
  });

  it('cannot pose as others', () => {
    expect(nameOf(tables, 4)).toBe('a\\u202Eb');
    expect(placeOf(tables, 4)).toBe('x\\u000A.py:1');
    expect(visible('\u200f\u2066x\u0000\ud800\u2028\u{e0041}é数')).toBe(
      '\\u200F\\u2066x\\u0000\\uD800\\u2028\\u{E0041}é数',
    );
    expect(visible('</script><img onerror=x>')).toBe('</script><img onerror=x>');
  });

  it('are cut in the middle', () => {
    expect(shorten('abcdefghij', 10)).toBe('abcdefghij');
    expect(shorten('abcdefghijk', 5)).toBe('ab…jk');
    expect(shorten('abcdefghijk', 1)).toBe('…');
    expect(shorten('x'.repeat(1e6), 9)).toBe('xxxx…xxxx');
    expect(shorten('😀'.repeat(20), 5)).toBe('😀😀…😀😀');
  });
});

describe('colours', () => {
  it('of a module are the same in every run', () => {
    expect(['numpy', 'pandas', 'wave', ''].map((name) => colourIndexOf(name))).toEqual([4, 5, 4, 1]);
    const names = Array.from({ length: 800 }, (_, i) => `module_${i}`);
    const counts = new Uint32Array(8);
    for (const name of names) ++counts[colourIndexOf(name)];
    expect(Math.min(...counts)).toBeGreaterThan(60);
  });

  it('of functions are those of their modules', () => {
    const { tables } = makeProfile([], { f: { module: 'm' }, g: { module: 'n' }, h: { module: 'm' } });
    const colours = functionColours(tables);
    expect([...colours]).toEqual(['m', 'n', 'm'].map((name) => colourIndexOf(name)));
  });

  it('of heat grow with the share', () => {
    expect([0, 0.01, 0.05, 0.2, 0.5, 1, 7, -1, Number.NaN].map((share) => heatIndexOf(share))).toEqual([
      0, 0, 1, 2, 3, 4, 4, 0, 0,
    ]);
  });
});
