// Reads a columns file (docs/view-data.md): numbers in typed arrays behind a JSON header. The bytes may
// come from anyone's file, so every length is checked before it is used.
import type { Texts } from './types';

export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

export interface Columns {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly columns: Map<string, Column>;
}

const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type TypeName = keyof typeof TYPES;

const MAGIC = [0x50, 0x59, 0x43, 0x31]; // "PYC1"
const HEADER_START = 8;

export function damaged(what: string): Error {
  return new Error(`The profile's data are damaged: ${what}.`);
}

export function decodeColumns(data: ArrayBuffer | Uint8Array): Columns {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (bytes.length < HEADER_START || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw damaged('they do not begin as columns do');
  }
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  if (headerLength > bytes.length - HEADER_START) throw damaged('the header is cut off');
  const header = parseHeader(bytes.subarray(HEADER_START, HEADER_START + headerLength));

  const columns = new Map<string, Column>();
  let at = padded(HEADER_START + headerLength);
  for (const entry of header.columns) {
    const { name, type, count, isPacked } = checkEntry(entry);
    const size = count * TYPES[type].BYTES_PER_ELEMENT;
    if (size > bytes.length - at) throw damaged(`the column ${name} is cut off`);
    if (columns.has(name)) throw damaged(`the column ${name} is there twice`);
    columns.set(name, readColumn(bytes.subarray(at, at + size), type, isPacked));
    at = padded(at + size);
  }
  return { meta: header.meta, columns };
}

const padded = (at: number) => Math.ceil(at / 8) * 8;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseHeader(bytes: Uint8Array): { meta: Record<string, unknown>; columns: unknown[] } {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw damaged('the header is not JSON');
  }
  if (!isObject(header) || !Array.isArray(header.columns)) throw damaged('the header names no columns');
  return { meta: isObject(header.meta) ? header.meta : {}, columns: header.columns };
}

function checkEntry(entry: unknown): { name: string; type: TypeName; count: number; isPacked: boolean } {
  if (!isObject(entry) || typeof entry.name !== 'string') throw damaged('a column has no name');
  const { name, type, count } = entry;
  if (typeof type !== 'string' || !Object.hasOwn(TYPES, type)) {
    throw damaged(`the column ${name} has an unknown type`);
  }
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    throw damaged(`the column ${name} has no valid length`);
  }
  return { name, type: type as TypeName, count, isPacked: entry.packed === true };
}

function readColumn(bytes: Uint8Array, type: TypeName, isPacked: boolean): Column {
  const make = TYPES[type];
  const width = make.BYTES_PER_ELEMENT;
  const count = bytes.length / width;
  if (isPacked && width > 1) return new make(unpack(bytes, width).buffer, 0, count);
  // A view where the processor allows it, else a copy.
  const isAligned = bytes.byteOffset % width === 0;
  const source = isAligned ? bytes : bytes.slice();
  return new make(source.buffer as ArrayBuffer, source.byteOffset, count);
}

// Planes of bytes, the lowest of all numbers first, back into numbers.
function unpack(planes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const count = planes.length / width;
  const numbers = new Uint8Array(planes.length);
  for (let plane = 0, from = 0; plane < width; ++plane) {
    for (let i = 0, to = plane; i < count; ++i, to += width) numbers[to] = planes[from++];
  }
  return numbers;
}

// The column of that name and type; an error where the answer has none.
export function column<T extends Column>(
  from: Columns,
  name: string,
  type: { new (length: number): T; readonly name: string },
): T {
  const found = from.columns.get(name);
  if (found === undefined) throw damaged(`the column ${name} is missing`);
  if (!(found instanceof type)) throw damaged(`the column ${name} has another type than it should`);
  return found;
}

// Numbers that pages may store smaller than they are: `meta.scale` says what one of them stands for.
export function numbers(from: Columns, name: string): Float64Array {
  const found = from.columns.get(name);
  if (found === undefined) throw damaged(`the column ${name} is missing`);
  const scales = from.meta.scale;
  const scale = isObject(scales) ? scales[name] : undefined;
  if (scale === undefined) return found instanceof Float64Array ? found : new Float64Array(found);
  if (typeof scale !== 'number') throw damaged(`the scale of the column ${name} is no number`);
  const values = new Float64Array(found); // and not from(…, map), which takes ten times as long
  for (let i = 0; i < values.length; ++i) values[i] *= scale;
  return values;
}

// Strings are decoded when they are first asked for: of a million most are never shown.
export function decodeTexts(from: Columns): Texts {
  const bytes = column(from, 'text.bytes', Uint8Array);
  const ends = column(from, 'text.ends', Uint32Array);
  let last = 0;
  for (const end of ends) {
    if (end < last || end > bytes.length) throw damaged('a text ends where it cannot');
    last = end;
  }
  const decoder = new TextDecoder();
  const known: (string | undefined)[] = [];
  return {
    count: ends.length,
    get(index) {
      if (!(index >= 0 && index < ends.length)) return '';
      return (known[index] ??= decoder.decode(
        bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index]),
      ));
    },
  };
}
