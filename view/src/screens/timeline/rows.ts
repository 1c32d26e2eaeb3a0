// Which tracks are shown, and where: curves first, then threads or processes with their regions above.
import type { Scope, Tables, TimelineValues } from '../../data/types';
import { visible } from '../../model/format';
import { processName, processWithHost } from '../../parts/process_names';
import { threadName } from '../flame/threads';

export const CURVE_HEIGHT = 54;
export const LANE_HEIGHT = 28;
export const REGION_HEIGHT = 17;
const GAP = 6;
const MOST_CURVES = 8;
const MOST_REGION_ROWS = 6;
const MOST_ROWS = 256; // of threads of which only regions are known
const NAME_HEIGHT = 20;

export interface Row {
  readonly kind: 'curve' | 'track';
  readonly index: number; // of the counter, or the place of the track in the values; -1: only regions
  readonly id: number; // the row of the thread or process
  readonly name: string;
  readonly state: string; // "killed"; empty: ended well
  readonly top: number;
  readonly height: number;
  readonly regionRows: number; // above the activity
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly height: number;
  readonly hiddenCurves: number;
}

const STATES = ['', 'killed', 'cut off', 'damaged'];

export function processState(tables: Tables, process: number): string {
  return STATES[tables.processes.status[process]] ?? '';
}

// By thread: how many rows its regions need. For processes, those of their main thread.
export function regionRowsOf(values: TimelineValues): Map<number, number> {
  const rows = new Map<number, number>();
  const { thread, depth } = values.regions;
  for (let i = 0; i < thread.length; ++i) {
    rows.set(thread[i], Math.min(MOST_REGION_ROWS, Math.max(rows.get(thread[i]) ?? 0, depth[i] + 1)));
  }
  return rows;
}

// The thread whose regions stand above a track; -1: none.
export function regionThread(values: TimelineValues, tables: Tables, id: number): number {
  if (values.by === 'thread') return id;
  for (let thread = 0; thread < tables.threads.count; ++thread) {
    if (tables.threads.process[thread] === id && tables.threads.class[thread] === 0) return thread;
  }
  return -1;
}

export function layoutRows(values: TimelineValues, tables: Tables, filter: string): Rows {
  const wanted = filter.trim().toLowerCase();
  const matches = (name: string) => wanted === '' || name.toLowerCase().includes(wanted);
  const rows: Row[] = [];
  let top = 0;
  const add = (row: Omit<Row, 'top'>) => {
    rows.push({ ...row, top });
    top += row.height + GAP;
  };
  let curves = 0;
  values.counters.forEach((counter, index) => {
    const isOnly = tables.processes.count < 2;
    const owner = isOnly ? '' : ` (${processName(tables, counter.process)})`;
    const name = visible(counter.name) + owner;
    if (!matches(name) || counter.time.length === 0 || ++curves > MOST_CURVES) return;
    add({ kind: 'curve', index, id: counter.process, name, state: '', height: CURVE_HEIGHT, regionRows: 0 });
  });
  const regionRows = regionRowsOf(values);
  values.track.forEach((id, index) => {
    const isThread = values.by === 'thread';
    const name = isThread ? threadName(tables, id) : visible(processWithHost(tables, id));
    if (!matches(name)) return;
    const regions = regionRows.get(regionThread(values, tables, id)) ?? 0;
    add({
      kind: 'track',
      index,
      id,
      name,
      // That a process was killed is said once.
      state: !isThread
        ? processState(tables, id)
        : tables.threads.class[id] === 0
          ? processState(tables, tables.threads.process[id])
          : '',
      height: LANE_HEIGHT + regions * REGION_HEIGHT,
      regionRows: regions,
    });
  });
  if (values.by === 'thread') {
    const tracks = new Set(values.track);
    for (const [id, regions] of regionRows) {
      const name = threadName(tables, id);
      if (tracks.has(id) || !matches(name) || rows.length >= MOST_ROWS) continue;
      const height = Math.max(NAME_HEIGHT, regions * REGION_HEIGHT);
      add({ kind: 'track', index: -1, id, name, state: '', height, regionRows: regions });
    }
  }
  return { rows, height: top, hiddenCurves: Math.max(0, curves - MOST_CURVES) };
}

export function rowAt(rows: readonly Row[], y: number): Row | null {
  return rows.find((row) => y >= row.top && y < row.top + row.height) ?? null;
}

// The region of a row at a moment and a height (below the row's top); -1: none.
export function regionAt(
  values: TimelineValues,
  tables: Tables,
  row: Row,
  seconds: number,
  y: number,
): number {
  const depth = Math.floor(y / REGION_HEIGHT);
  if (row.kind !== 'track' || depth >= row.regionRows) return -1;
  const owner = regionThread(values, tables, row.id);
  const { thread, start, duration, depth: depths } = values.regions;
  for (let i = 0; i < thread.length; ++i) {
    const isHere = thread[i] === owner && depths[i] === depth;
    if (isHere && seconds >= start[i] && seconds <= start[i] + duration[i]) return i;
  }
  return -1;
}

// When a thread or process lived, in seconds.
export function lifeOf(tables: Tables, by: 'thread' | 'process', id: number): readonly [number, number] {
  if (by === 'thread') return [tables.threads.start[id], tables.threads.end[id]];
  const { start, duration } = tables.processes;
  return [start[id], start[id] + duration[id]];
}

// Threads are clearer while they are few; a single process would be one track.
export function defaultBy(tables: Tables, scope: Scope): 'thread' | 'process' {
  const MOST_THREADS = 24;
  const count = scope.threads?.length ?? tables.threads.count;
  return count > MOST_THREADS && tables.processes.count > 1 ? 'process' : 'thread';
}
