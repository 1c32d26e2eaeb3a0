import { describe, expect, it } from 'vitest';
import { contrast, formatColour, inkOn, mix, parseColour, pixelOf } from '../src/parts/colour';
import { clampRange, panRange, zoomRange } from '../src/parts/range';
import { formatTick, makeTicks } from '../src/parts/ticks';

const bounds = { left: 0, right: 100 };

describe('ranges', () => {
  it('zoom at a point, which stays where it is', () => {
    expect(zoomRange(bounds, bounds, 25, 0.5)).toEqual({ left: 12.5, right: 62.5 });
    expect(zoomRange({ left: 20, right: 40 }, bounds, 30, 2)).toEqual({ left: 10, right: 50 });
  });

  it('do not leave their bounds', () => {
    expect(zoomRange({ left: 0, right: 40 }, bounds, 10, 10)).toEqual(bounds);
    expect(panRange({ left: 10, right: 30 }, bounds, -50)).toEqual({ left: 0, right: 20 });
    expect(panRange({ left: 10, right: 30 }, bounds, 500)).toEqual({ left: 80, right: 100 });
    expect(clampRange({ left: -10, right: 300 }, bounds)).toEqual(bounds);
  });

  it('never get so narrow that numbers fail', () => {
    let range = bounds;
    for (let i = 0; i < 1000; ++i) range = zoomRange(range, bounds, 37, 0.5);
    expect(range.right - range.left).toBeCloseTo(1e-7, 12);
    expect(range.left).toBeCloseTo(37, 6);
  });
});

describe('ticks', () => {
  const texts = (left: number, right: number, most: number) => {
    const { step, values } = makeTicks({ left, right }, most);
    return values.map((value) => formatTick(value, step));
  };

  it('are round numbers with units', () => {
    expect(texts(0, 8.4, 5)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s']);
    expect(texts(0.1, 0.35, 5)).toEqual(['0.10 s', '0.15 s', '0.20 s', '0.25 s', '0.30 s', '0.35 s']);
    expect(texts(0.001, 0.0026, 4)).toEqual(['1.0 ms', '1.5 ms', '2.0 ms', '2.5 ms']);
    expect(texts(0, 4e-6, 4)).toEqual(['0 µs', '1 µs', '2 µs', '3 µs', '4 µs']);
  });

  it('are minutes and hours for long runs', () => {
    expect(texts(0, 200, 4)).toEqual(['0:00 min', '1:00 min', '2:00 min', '3:00 min']);
    expect(texts(3500, 7300, 3)).toEqual(['1:00:00 h', '1:30:00 h', '2:00:00 h']);
    expect(texts(58, 64, 3)).toEqual(['58 s', '1:00 min', '1:02 min', '1:04 min']);
  });

  it('of nothing are none', () => {
    expect(makeTicks({ left: 1, right: 1 }, 5).values).toEqual([]);
    expect(makeTicks({ left: 0, right: Number.NaN }, 5).values).toEqual([]);
    expect(makeTicks({ left: 0, right: Infinity }, 5).values).toEqual([]);
    expect(makeTicks(bounds, 0).values).toEqual([]);
  });
});

describe('colours', () => {
  it('are read from tokens, short ones too', () => {
    expect(parseColour('#0072b2')).toEqual({ red: 0, green: 0x72, blue: 0xb2 });
    expect(parseColour(' #fff ')).toEqual({ red: 255, green: 255, blue: 255 });
    expect(parseColour('rgb(1 2 3)')).toEqual({ red: 128, green: 128, blue: 128 });
    expect(formatColour(mix(parseColour('#000000'), parseColour('#ffffff'), 0.5))).toBe('#808080');
  });

  it('are pixels as images hold them', () => {
    expect(pixelOf(parseColour('#123456'))).toBe(0xff563412);
  });

  it('choose the ink that is read best', () => {
    expect(contrast(parseColour('#000'), parseColour('#fff'))).toBeCloseTo(21);
    expect(inkOn(parseColour('#fde68a'), ['#ffffff', '#1f1d1a'])).toBe('#1f1d1a');
    expect(inkOn(parseColour('#7f0000'), ['#1f1d1a', '#ffffff'])).toBe('#ffffff');
  });
});
