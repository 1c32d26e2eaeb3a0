// Answers in columns as the types that screens read, checked against the tables they refer to.
import { column, damaged, numbers, type Columns } from './columns';
import type {
  Counter,
  EdgeValues,
  FunctionValues,
  LineValues,
  RankValues,
  Samples,
  Tables,
  TimelineValues,
  Unit,
} from './types';

function rows(from: Columns, name: string, count: number): Uint32Array {
  const found = column(from, name, Uint32Array);
  for (const row of found) {
    if (row >= count) throw damaged(`${name} refers to a row that does not exist`);
  }
  return found;
}

function sameLength(columns: Readonly<Record<string, { readonly length: number }>>): void {
  const lengths = Object.values(columns).map((each) => each.length);
  if (lengths.some((length) => length !== lengths[0])) throw damaged('columns have different lengths');
}

// Dense: one value per node, whether the answer names nodes or not.
export function decodeValues(from: Columns, metric: string, nodeCount: number): Float64Array {
  const values = numbers(from, `self:${metric}`);
  if (!from.columns.has('node')) {
    if (values.length !== nodeCount) {
      throw new Error('The recording has grown since it was opened; it is read again in a moment.');
    }
    return values;
  }
  const node = rows(from, 'node', nodeCount);
  sameLength({ node, values });
  const dense = new Float64Array(nodeCount);
  for (let i = 0; i < node.length; ++i) dense[node[i]] = values[i];
  return dense;
}

export function decodeFunctions(from: Columns, tables: Tables): FunctionValues {
  const values = {
    function: rows(from, 'function', tables.functions.count),
    self: numbers(from, 'self'),
    total: numbers(from, 'total'),
    calls: numbers(from, 'calls'),
    primitive: numbers(from, 'primitive'),
  };
  sameLength(values);
  return values;
}

export function decodeEdges(from: Columns, tables: Tables): EdgeValues {
  const edges = {
    caller: rows(from, 'caller', tables.functions.count),
    callee: rows(from, 'callee', tables.functions.count),
    self: numbers(from, 'self'),
    total: numbers(from, 'total'),
    calls: numbers(from, 'calls'),
  };
  sameLength(edges);
  return edges;
}

export function decodeLines(from: Columns, tables: Tables): LineValues {
  const lines = {
    function: rows(from, 'function', tables.functions.count),
    line: column(from, 'line', Uint32Array),
    hits: numbers(from, 'hits'),
    time: numbers(from, 'time'),
    self: numbers(from, 'self'),
    ...(from.columns.has('memory') && { memory: numbers(from, 'memory') }),
    ...(from.columns.has('increment') && { increment: numbers(from, 'increment') }),
    ...(from.columns.has('peak') && { peak: numbers(from, 'peak') }),
    ...(from.columns.has('temporary') && { temporary: numbers(from, 'temporary') }),
  };
  sameLength(lines);
  return lines;
}

export function decodeRanks(from: Columns, tables: Tables): RankValues {
  const process = rows(from, 'process', tables.processes.count);
  const value = numbers(from, 'value');
  const byFunction = {
    function: rows(from, 'function', tables.functions.count),
    minimum: numbers(from, 'minimum'),
    median: numbers(from, 'median'),
    maximum: numbers(from, 'maximum'),
    mean: numbers(from, 'mean'),
    deviation: numbers(from, 'deviation'),
  };
  sameLength(byFunction);
  if (value.length !== process.length * byFunction.function.length) {
    throw damaged('the ranks have not one value per function and process');
  }
  if (!from.columns.has('whole')) return { process, value, ...byFunction };
  const whole = numbers(from, 'whole');
  sameLength({ process, whole });
  return { process, value, ...byFunction, whole };
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function decodeTimeline(from: Columns, tables: Tables, by: 'thread' | 'process'): TimelineValues {
  const { meta } = from;
  const track = rows(from, 'track', by === 'thread' ? tables.threads.count : tables.processes.count);
  const activity = column(from, 'activity', Float32Array);
  const categories = strings(meta.categories);
  const buckets = number(meta.buckets, 0);
  if (activity.length !== track.length * categories.length * buckets) {
    throw damaged('the timeline has not one value per track, category and bucket');
  }
  const names = strings(meta.region_names);
  const regions = {
    thread: rows(from, 'region.thread', tables.threads.count),
    name: rows(from, 'region.name', names.length),
    depth: column(from, 'region.depth', Uint32Array),
    start: numbers(from, 'region.start'),
    duration: numbers(from, 'region.duration'),
  };
  sameLength(regions);
  const described: unknown[] = Array.isArray(meta.counters) ? meta.counters : [];
  return {
    by,
    from: number(meta.from, 0),
    to: number(meta.to, 0),
    buckets,
    categories,
    omitted: number(meta.omitted, 0),
    track,
    activity,
    regions: { names, ...regions },
    counters: described.map((each, i) => decodeCounter(from, each as Partial<Counter>, i)),
  };
}

function decodeCounter(from: Columns, described: Partial<Counter>, i: number): Counter {
  const time = numbers(from, `counter${i}.time`);
  const value = numbers(from, `counter${i}.value`);
  sameLength({ time, value });
  const units: readonly (Unit | undefined)[] = ['ns', 'bytes', 'count'];
  return {
    name: String(described.name),
    unit: units.includes(described.unit) ? described.unit! : 'count',
    process: number(described.process, 0),
    time,
    value,
  };
}

// With the ends of samples, where the answer has them.
export interface TimedSamples extends Samples {
  readonly end?: Float64Array; // seconds
}

export function decodeSamples(from: Columns, tables: Tables, thread: number, metric: string): TimedSamples {
  const samples = {
    time: numbers(from, 'time'),
    node: rows(from, 'node', tables.nodes.count),
    weight: numbers(from, `weight:${metric}`),
    ...(from.columns.has('end') && { end: numbers(from, 'end') }),
  };
  sameLength(samples);
  return { thread, ...samples };
}
