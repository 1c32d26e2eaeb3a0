import { describe, expect, it } from 'vitest';
import {
  curvePath,
  doublingAxis,
  linearAxis,
  powersAxis,
  spreadLabels,
  timeAxis,
  valueAt,
} from '../src/parts/chart_scale';
import { makeRamp } from '../src/parts/colour_ramp';
import { sortedRows, toggleSort } from '../src/parts/sorted_rows';

const values = (...list: number[]) => Float64Array.from(list);

describe('axes', () => {
  it('end at a round value', () => {
    const axis = linearAxis(0, 8.3, 5);
    expect(axis.ticks).toEqual([0, 2, 4, 6, 8, 10]);
    expect(axis.place(5)).toBe(0.5);
  });

  it('of bytes have steps of powers of two', () => {
    expect(linearAxis(0, 100 * 1024 * 1024, 5, 1024).ticks.map((tick) => tick / 1024 / 1024)).toEqual([
      0, 32, 64, 96, 128,
    ]);
  });

  it('of time end where the time ends', () => {
    const axis = timeAxis(0, 8.3, 8);
    expect(axis.to).toBe(8.3);
    expect(axis.ticks).toEqual([0, 2, 4, 6, 8]);
  });

  it('of counts give each doubling the same room', () => {
    const axis = doublingAxis([2, 4, 8, 32]);
    expect([2, 4, 8, 32].map(axis.place)).toEqual([0, 0.25, 0.5, 1]);
    expect(doublingAxis([4, 4]).place(4)).toBe(0.5);
  });

  it('of speed-ups are powers of two around them', () => {
    expect(powersAxis(0.9, 5).ticks).toEqual([0.5, 1, 2, 4, 8]);
    expect(powersAxis(1, 1).ticks).toEqual([1, 2]);
    expect(powersAxis(1, 16).place(4)).toBe(0.5);
  });

  it('of nothing are still axes', () => {
    expect(linearAxis(0, 0, 5).ticks.length).toBeGreaterThan(1);
    expect(linearAxis(3, 3, 5).place(3)).toBe(0);
  });
});

describe('curves', () => {
  const curve = { name: 'a', colour: 'ink', x: values(0, 1, 2, 3), y: values(1, NaN, 3, 4) };

  it('are interrupted where nothing is known', () => {
    expect(
      curvePath(
        curve,
        (x) => x * 10,
        (y) => y,
      ),
    ).toBe('M0.0,1.0M20.0,3.0L30.0,4.0');
  });

  it('keep a value until the next one, and have none outside', () => {
    expect(valueAt(curve, 2.2)).toBe(3);
    expect(valueAt(curve, 0)).toBe(1);
    expect(valueAt(curve, 0.9)).toBe(1);
    expect(valueAt(curve, 1)).toBeNaN();
    expect(valueAt(curve, 3)).toBe(4);
    expect(valueAt(curve, 3.1)).toBeNaN();
    expect(valueAt(curve, -0.1)).toBeNaN();
    expect(valueAt({ ...curve, x: values(), y: values() }, 1)).toBeNaN();
  });
});

describe('labels', () => {
  it('are moved apart and stay inside', () => {
    expect(spreadLabels([10, 12, 100], 16, 200)).toEqual([10, 26, 100]);
    expect(spreadLabels([195, 190], 16, 200)).toEqual([200, 184]);
    expect(spreadLabels([], 16, 200)).toEqual([]);
  });
});

describe('ramps', () => {
  it('go from the first stop to the last', () => {
    expect(makeRamp(['#000000', '#ffffff'], 3).map((colour) => colour.red)).toEqual([0, 127.5, 255]);
    expect(makeRamp(['#102030'], 1)).toEqual([{ red: 16, green: 32, blue: 48 }]);
  });
});

describe('rows of tables', () => {
  it('are sorted by numbers or texts, nothing always last', () => {
    const keys = [3, null, 1, 2];
    expect([...sortedRows(4, (row) => keys[row], true)]).toEqual([0, 3, 2, 1]);
    expect([...sortedRows(4, (row) => keys[row], false)]).toEqual([2, 3, 0, 1]);
    expect([...sortedRows(3, (row) => ['b', 'a', 'b'][row], false)]).toEqual([1, 0, 2]);
  });

  it('begin with the largest number or the first name', () => {
    expect(toggleSort({ column: 'x', isDescending: true }, 'y')).toEqual({ column: 'y', isDescending: true });
    expect(toggleSort({ column: 'x', isDescending: true }, 'name')).toEqual({
      column: 'name',
      isDescending: false,
    });
    expect(toggleSort({ column: 'x', isDescending: true }, 'x')).toEqual({
      column: 'x',
      isDescending: false,
    });
  });
});
