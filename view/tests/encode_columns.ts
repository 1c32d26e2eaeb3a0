// Columns files as the server writes them.
import type { Column } from '../src/data/columns';

const NAMES = new Map<unknown, string>([
  [Uint8Array, 'u8'],
  [Uint16Array, 'u16'],
  [Uint32Array, 'u32'],
  [Int32Array, 'i32'],
  [Float32Array, 'f32'],
  [Float64Array, 'f64'],
]);

const padded = (bytes: Uint8Array) => {
  const whole = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
  whole.set(bytes);
  return whole;
};

function planes(bytes: Uint8Array, width: number): Uint8Array {
  const count = bytes.length / width;
  return Uint8Array.from(bytes, (_, at) => bytes[(at % count) * width + Math.floor(at / count)]);
}

export function encodeColumns(
  columns: Readonly<Record<string, Column>>,
  meta: Readonly<Record<string, unknown>> = {},
  isPacked = false,
): Uint8Array<ArrayBuffer> {
  const described = Object.entries(columns).map(([name, values]) => ({
    name,
    type: NAMES.get(values.constructor),
    count: values.length,
    packed: isPacked,
  }));
  return encodeParts(
    JSON.stringify({ meta, columns: described }),
    Object.values(columns).map((values) => {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      return isPacked ? planes(bytes, values.BYTES_PER_ELEMENT) : bytes;
    }),
  );
}

export function encodeParts(header: string, columns: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(header);
  const head = new Uint8Array(8 + json.length);
  head.set(new TextEncoder().encode('PYC1'));
  new DataView(head.buffer).setUint32(4, json.length, true);
  head.set(json, 8);
  const parts = [padded(head), ...columns.map(padded)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Strings as two columns.
export function encodeTexts(texts: readonly string[]): Record<string, Column> {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  let end = 0;
  return {
    'text.bytes': Uint8Array.from(encoded.flatMap((bytes) => [...bytes])),
    'text.ends': Uint32Array.from(encoded, (bytes) => (end += bytes.length)),
  };
}

// main -> solve at line 4 and at line 9, and a process that has three threads.
export function tableColumns(): Record<string, Column> {
  const u8 = (...values: number[]) => Uint8Array.from(values);
  const u32 = (...values: number[]) => Uint32Array.from(values);
  const f64 = (...values: number[]) => Float64Array.from(values);
  return {
    ...encodeTexts(['main', 'solve', 'wave.py', '/home/wave.py', 'wave', 'node1']),
    'file.name': u32(2),
    'file.path': u32(3),
    'function.name': u32(0, 1),
    'function.file': u32(0, 0xffffffff),
    'function.line': u32(1, 0),
    'function.kind': u8(0, 2),
    'function.origin': u8(0, 3),
    'function.module': u32(4, 4),
    'node.up': u32(0, 1, 2),
    'node.function': u32(0, 1, 1),
    'node.line': u32(7, 4, 9),
    'thread.process': u32(0, 0, 1),
    'thread.name': u32(0, 1, 0),
    'thread.class': u8(0, 1, 0),
    'thread.start': f64(0, 0, 0),
    'thread.end': f64(2, 2, 2),
    'process.rank': Int32Array.from([0, 1]),
    'process.host': u32(5, 5),
    'process.pid': f64(11, 12),
    'process.start': f64(0, 0),
    'process.duration': f64(2, 2),
    'process.status': u8(0, 0),
  };
}
