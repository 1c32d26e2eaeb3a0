import { describe, expect, it } from 'vitest';
import { column, decodeColumns, decodeTexts, numbers } from '../src/data/columns';
import { makeTables } from '../src/data/tables';
import { encodeColumns, encodeParts, encodeTexts, tableColumns } from './encode_columns';

const COLUMNS = {
  bytes: Uint8Array.of(1, 2, 3),
  shorts: Uint16Array.of(1, 65535),
  rows: Uint32Array.of(7, 0xffffffff, 0x01020304),
  ranks: Int32Array.of(-1, 5),
  activity: Float32Array.of(0.5, -2),
  values: Float64Array.of(1e15 + 1, -0.25, Infinity),
  nothing: new Float64Array(0),
};

describe('columns', () => {
  it.each([false, true])('come back as they were written (packed: %s)', (isPacked) => {
    const decoded = decodeColumns(encodeColumns(COLUMNS, { answer: 42 }, isPacked).buffer);
    expect(decoded.meta).toEqual({ answer: 42 });
    expect(Object.fromEntries(decoded.columns)).toEqual(COLUMNS);
  });

  it('are found inside of other bytes, wherever they begin', () => {
    const bytes = encodeColumns(COLUMNS);
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    expect(Object.fromEntries(decodeColumns(moved.subarray(3)).columns)).toEqual(COLUMNS);
  });

  it('cut off anywhere are refused with a sentence', () => {
    const bytes = encodeColumns({ a: Float64Array.of(1, 2), b: Uint8Array.of(1) });
    const lastNeeded = bytes.length - 8; // the last column is one byte and padding
    for (let length = 0; length <= lastNeeded; ++length) {
      expect(() => decodeColumns(bytes.slice(0, length))).toThrow(/^The profile's data are damaged: .*\.$/);
    }
    expect(decodeColumns(bytes.slice(0, lastNeeded + 1)).columns.get('b')).toEqual(Uint8Array.of(1));
  });

  it.each([
    ['{"columns":[{"name":"a","type":"f64","count":1e300}]}', 'no valid length'],
    ['{"columns":[{"name":"a","type":"f64","count":-1}]}', 'no valid length'],
    ['{"columns":[{"name":"a","type":"f64","count":9007199254740991}]}', 'cut off'],
    ['{"columns":[{"name":"a","type":"constructor","count":1}]}', 'unknown type'],
    ['{"columns":[{"name":"a","type":"u8","count":1},{"name":"a","type":"u8","count":1}]}', 'twice'],
    ['{"columns":[null]}', 'no name'],
    ['{"columns":{}}', 'names no columns'],
    ['[]', 'names no columns'],
    ['{"columns":', 'not JSON'],
  ])('with the header %s are refused', (header, reason) => {
    expect(() => decodeColumns(encodeParts(header, [new Uint8Array(8), new Uint8Array(8)]))).toThrow(reason);
  });

  it('that are missing or of another type are named', () => {
    const decoded = decodeColumns(encodeColumns(COLUMNS));
    expect(() => column(decoded, 'total', Float64Array)).toThrow('the column total is missing');
    expect(() => column(decoded, 'bytes', Float64Array)).toThrow('the column bytes has another type');
  });

  it('of whole numbers are values when a scale says so', () => {
    const columns = { 'self:wall': Uint32Array.of(1, 3), plain: Uint32Array.of(2) };
    const decoded = decodeColumns(encodeColumns(columns, { scale: { 'self:wall': 1000 } }));
    expect(numbers(decoded, 'self:wall')).toEqual(Float64Array.of(1000, 3000));
    expect(numbers(decoded, 'plain')).toEqual(Float64Array.of(2));
    expect(() => numbers(decoded, 'cpu')).toThrow('missing');
  });
});

describe('texts', () => {
  it('are decoded from UTF-8, and empty where there are none', () => {
    const texts = decodeTexts(decodeColumns(encodeColumns(encodeTexts(['', 'größe', '', '数']))));
    expect(texts.count).toBe(4);
    expect([0, 1, 2, 3, 4, -1, Number.NaN].map((index) => texts.get(index))).toEqual([
      '',
      'größe',
      '',
      '数',
      '',
      '',
      '',
    ]);
  });

  it.each([[[2, 1]], [[4]]])('that end at %j of three bytes are refused', (ends) => {
    const columns = { 'text.bytes': Uint8Array.of(97, 98, 99), 'text.ends': Uint32Array.from(ends) };
    expect(() => decodeTexts(decodeColumns(encodeColumns(columns)))).toThrow('a text ends where it cannot');
  });
});

describe('tables', () => {
  const decode = (changes: ReturnType<typeof tableColumns> = {}) =>
    makeTables(decodeColumns(encodeColumns({ ...tableColumns(), ...changes })));

  it('have parents for the distances that files hold', () => {
    const tables = decode();
    expect(tables.nodes.count).toBe(3);
    expect(tables.nodes.parent).toEqual(Int32Array.of(-1, 0, 0));
    expect(tables.texts.get(tables.files.path[tables.functions.file[0]])).toBe('/home/wave.py');
    expect(tables.processes.rank).toEqual(Int32Array.of(0, 1));
  });

  it('may be empty', () => {
    const empty = Object.fromEntries(
      Object.entries(tableColumns()).map(([name, values]) => [name, values.slice(0, 0)]),
    );
    expect(decode(empty).nodes.count).toBe(0);
  });

  const many = (...values: number[]) => Uint32Array.from(values);
  it.each([
    ['a parent before the first row', { 'node.up': many(0, 2, 0) }, 'stands before its caller'],
    ['a parent that was closed', { 'node.up': many(0, 0, 2) }, 'not in order'],
    ['a function that is none', { 'node.function': many(0, 1, 2) }, 'node.function refers to a row'],
    ['a file that is none', { 'function.file': many(0, 1) }, 'function.file refers to a row'],
    ['a name that is none', { 'function.name': many(0, 6) }, 'function.name refers to a row'],
    ['a module that is none', { 'function.module': many(0, 4e9) }, 'function.module refers to a row'],
    ['a process that is none', { 'thread.process': many(0, 0, 2) }, 'thread.process refers to a row'],
    ['columns of different lengths', { 'node.line': many(0, 1) }, 'node have different lengths'],
    ['a type that is wrong', { 'node.line': Float64Array.of(0, 1, 2) }, 'another type'],
  ])('with %s are refused', (_, changes, reason) => {
    expect(() => decode(changes)).toThrow(reason);
  });

  it('check very deep trees in one pass', () => {
    const count = 200_000;
    const deep = {
      'node.up': new Uint32Array(count).fill(1).with(0, 0),
      'node.function': new Uint32Array(count),
      'node.line': new Uint32Array(count),
    };
    expect(decode(deep).nodes.parent[count - 1]).toBe(count - 2);
  });
});
