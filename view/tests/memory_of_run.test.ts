import { describe, expect, it } from 'vitest';
import { decodeMemory } from '../src/data/memory';
import { NONE } from '../src/data/types';
import { drawnCurves } from '../src/screens/memory/curves';
import { liveAt, snapshotBefore, trackOf } from '../src/screens/memory/live_memory';
import { limitOf, memoryFacts, peaksOf, peakTitle } from '../src/screens/memory/memory_words';
import { panelsOf } from '../src/screens/memory/panels';
import { forWhom, ownersOf, placeRows, whereIs } from '../src/screens/memory/place_rows';
import { sizeWords } from '../src/screens/memory/sizes_table';
import { makeMemory, memoryAnswer, memoryProfile, MIB } from './make_memory';

const memory = makeMemory();
const { tables } = memoryProfile;
const inMib = (values: Iterable<number>) => Array.from(values, (value) => value / MIB);

describe('the answer', () => {
  it('is refused where it refers to what does not exist', () => {
    const broken = (changes: Parameters<typeof memoryAnswer>[0]) => () =>
      decodeMemory(memoryAnswer(changes), tables);
    expect(broken({ 'growing.place': Uint32Array.of(4) })).toThrow('does not exist');
    expect(broken({ 'live.moment': Uint32Array.of(0, 2, 0, 1, 4) })).toThrow('does not exist');
    expect(broken({ 'curve.end': Uint32Array.of(3, 6) })).toThrow('a curve ends outside its points');
    expect(broken({ 'place.peak': new Float64Array(1) })).toThrow('one value per row of places');
  });

  it('has curves as pieces of all points', () => {
    expect(memory.curves.map((curve) => [curve.isHeap, ...inMib(curve.bytes)])).toEqual([
      [true, 600, 700, 650],
      [false, 400, 500],
    ]);
  });
});

describe('what was live when', () => {
  it('is what the last change up to then says', () => {
    expect(inMib(liveAt(memory, 0.5))).toEqual([0, 0, 0, 0]);
    expect(inMib(liveAt(memory, 1))).toEqual([600, 10, 0, 0]);
    expect(inMib(liveAt(memory, 3.5))).toEqual([500, 20, 0, 0]);
    expect(inMib(liveAt(memory, 99))).toEqual([500, 60, 0, 0]);
  });

  it('is of the last snapshot', () => {
    expect(snapshotBefore(memory, 0.5)).toBeNull();
    expect(snapshotBefore(memory, 2)).toBe(2);
    expect(snapshotBefore(memory, 3.9)).toBe(3);
  });

  it('is a curve of each place that was followed', () => {
    expect(inMib(trackOf(memory, 1)!.bytes)).toEqual([10, 20, 20, 60]);
    expect(trackOf(memory, 3)).toBeNull();
  });
});

describe('rows of places', () => {
  it('are lines, with the own code they allocated for', () => {
    const rows = placeRows(memory, false);
    expect(rows.map((row) => whereIs(tables, row))).toEqual([
      'numeric.py:7',
      'cache.py:2',
      'cache.py:4',
      'job.py:9',
    ]);
    expect(rows.map((row) => forWhom(tables, row))).toEqual(['job.py:3', '', '', '']);
  });

  it('are functions with all their lines together', () => {
    const live = liveAt(memory, 4);
    const rows = placeRows(memory, true, live, live);
    expect(rows.map((row) => [whereIs(tables, row), row.figures.peak / MIB, row.live / MIB])).toEqual([
      ['numeric.py:5', 600, 500],
      ['cache.py:1', 100, 60],
      ['job.py:8', 0, 0],
    ]);
  });

  it('know whose bytes they are, of three figures', () => {
    const [, remember] = placeRows(memory, false);
    expect(ownersOf(remember.figures, 'peak')).toEqual({ python: 50 * MIB, numpy: 0, native: 10 * MIB });
    expect(ownersOf(remember.figures, 'temporary')).toBeNull();
  });
});

describe('words', () => {
  it('tell the peak, of one process or of all together', () => {
    expect(peakTitle(memory)).toBe('Peak 700 MiB of heap at 3.00 s');
    const two = (values: Float64Array) => Float64Array.of(values[0], values[0]);
    const processes = {
      ...memory.processes,
      count: 2,
      heap: two(memory.processes.heap),
    };
    const several = { ...memory, processes, heapTogether: { bytes: 900 * MIB, time: 2 } };
    expect(peakTitle(several)).toBe('Peak 900 MiB of heap at 2.00 s, all processes together');
    const resident = makeMemory({ 'process.heap': Float64Array.of(Number.NaN) });
    expect(peakTitle(resident)).toBe('Peak 500 MiB resident');
    expect(peaksOf(resident).heap).toBeNull();
  });

  it('tell the rest', () => {
    expect(memoryFacts(memory)).toEqual([
      'At most 500 MiB resident, 50 % of the limit of 1,000 MiB.',
      'Allocated 1.56 GiB in 1,002 blocks, 900 MiB of it freed again at once.',
      '700 MiB live at the end, 200 MiB of it never touched.',
      'Who allocated is estimated from samples every 512 KiB.',
    ]);
  });

  it('name the machine where there is no lower limit, and nothing where neither is known', () => {
    const machine = makeMemory({}, { available: { bytes: 8000 * MIB, is_limit: false } });
    expect(limitOf(machine)).toMatchObject({ bytes: 8000 * MIB, words: 'the machine’s memory' });
    expect(limitOf(makeMemory({}, { available: null }))).toBeNull();
    const more = makeMemory({}, { resident_together: { bytes: 1001 * MIB, time: 1 } });
    expect(limitOf(more)).toBeNull();
  });

  it('tell sizes', () => {
    expect(sizeWords(11)).toBe('1.00 KiB to 2.00 KiB');
    expect(sizeWords(0)).toBe('nothing');
  });
});

describe('the picture', () => {
  it('has both curves of one process', () => {
    expect(drawnCurves(memory).map(({ curve }) => curve.isHeap)).toEqual([true, false]);
  });

  it('has of several processes what they have together, and the heap of each', () => {
    const [heap, resident] = memory.curves;
    const together = { ...heap, process: NONE };
    const drawn = drawnCurves({ ...memory, curves: [together, heap, resident, heap, resident] });
    expect(drawn.map(({ curve }) => [curve.process, curve.isHeap])).toEqual([
      [NONE, true],
      [0, true],
      [0, true],
    ]);
  });
});

describe('tables', () => {
  it('are offered as far as there is something in them', () => {
    const ids = (...found: Parameters<typeof panelsOf>) => panelsOf(...found).map((each) => each.value);
    expect(ids(memory, null)).toEqual([
      ...['peak', 'moment', 'live', 'growing', 'allocated', 'churn', 'untouched', 'sizes', 'processes'],
    ]);
    const nothing = new Float64Array(0);
    const lines = { function: new Uint32Array(0), line: new Uint32Array(0), hits: nothing, time: nothing };
    expect(ids(null, { ...lines, self: nothing, increment: nothing })).toEqual(['lines']);
    expect(ids(null, null)).toEqual([]);
  });
});
