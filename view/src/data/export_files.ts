// Files for other tools, written in the browser: for pages, which have no `pyrometer export` to ask. They
// are the same as those of src/export.
import { makeCallTree } from '../model/call_tree';
import { EVERY_FRAME, mergePaths } from '../model/frames';
import { nameOf, placeOf } from '../model/format';
import { NONE, type Tables, type Unit } from './types';

const MOST_TEXT = 1 << 28; // letters; beyond it no browser keeps the file
const PIECE = 1 << 16; // letters that are joined before they go to the file

export interface ThreadValues {
  readonly thread: number | null; // null: all together
  readonly self: Float64Array;
}

// "main;solve;dot 120", times in microseconds as other tools write them.
export function collapsedFile(tables: Tables, self: Float64Array, unit: Unit): File {
  const { frames } = mergePaths(makeCallTree(tables, self), tables, EVERY_FRAME);
  const names = Array.from({ length: tables.functions.count }, (_, fn) => frameName(tables, fn));
  const paths = new Array<string>(frames.count);
  const text = new TextPieces();
  let carried = 0; // what rounding drops goes to the next line, so the sum is right
  for (let frame = 0; frame < frames.count; ++frame) {
    const above = frames.parent[frame];
    const name = names[frames.function[frame]];
    paths[frame] = above < 0 ? name : `${paths[above]};${name}`;
    if (frames.self[frame] === 0) continue;
    const exact = frames.self[frame] + carried;
    const value = unit === 'ns' ? Math.trunc(exact / 1000) : exact;
    if (unit === 'ns') carried = exact - 1000 * value;
    if (value !== 0) text.add(`${paths[frame]} ${value}\n`);
  }
  return new File(text.finish(), 'profile.collapsed.txt', { type: 'text/plain' });
}

// ';' separates frames, the last space the value.
function frameName(tables: Tables, fn: number): string {
  const place = placeOf(tables, fn);
  return (nameOf(tables, fn) + (place === '' ? '' : ` (${place})`)).replaceAll(';', ':');
}

// One profile per thread: its call tree as frames that open and close.
export function speedscopeFile(tables: Tables, threads: readonly ThreadValues[], unit: Unit): File {
  const text = new TextPieces();
  text.add('{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"pyrometer",');
  text.add('"name":"pyrometer","activeProfileIndex":0,"shared":{"frames":[');
  const { texts, files, functions } = tables;
  for (let fn = 0; fn < functions.count; ++fn) {
    const file = functions.file[fn] === NONE ? '' : texts.get(files.path[functions.file[fn]]);
    const frame = { name: nameOf(tables, fn), file, line: functions.line[fn] };
    text.add((fn === 0 ? '' : ',') + JSON.stringify(frame));
  }
  text.add(']},"profiles":[');
  threads.forEach((thread, i) => {
    if (i > 0) text.add(',');
    writeThread(text, tables, thread, unit);
  });
  text.add(']}');
  return new File(text.finish(), 'profile.speedscope.json', { type: 'application/json' });
}

const SPEEDSCOPE_UNITS: Readonly<Record<Unit, string>> = { ns: 'nanoseconds', bytes: 'bytes', count: 'none' };

function writeThread(text: TextPieces, tables: Tables, { thread, self }: ThreadValues, unit: Unit): void {
  // An axis cannot go backwards.
  const tree = makeCallTree(
    tables,
    self.map((value) => Math.max(0, value)),
  );
  const head = { type: 'evented', name: threadTitle(tables, thread), unit: SPEEDSCOPE_UNITS[unit] };
  text.add(JSON.stringify(head).slice(0, -1) + `,"startValue":0,"endValue":${tree.whole},"events":[`);
  const open: number[] = [];
  let at = 0;
  let comma = '';
  const event = (type: 'O' | 'C', node: number) => {
    text.add(`${comma}{"type":"${type}","frame":${tree.function[node]},"at":${at}}`);
    comma = ',';
  };
  const closeUntil = (node: number) => {
    while (open.length > 0 && tree.end[open.at(-1)!] <= node) event('C', open.pop()!);
  };
  for (let node = 0; node < tree.count; ++node) {
    if (tree.total[node] === 0) continue;
    closeUntil(node);
    event('O', node);
    open.push(node);
    at += tree.self[node];
  }
  closeUntil(tree.count);
  text.add(']}');
}

function threadTitle({ threads, processes, texts }: Tables, thread: number | null): string {
  if (thread === null) return 'all threads';
  const name = texts.get(threads.name[thread]) || `thread ${thread}`;
  const process = threads.process[thread];
  if (processes.count === 1) return name;
  const rank = processes.rank[process];
  return rank >= 0 ? `rank ${rank}: ${name}` : `process ${processes.pid[process]}: ${name}`;
}

class TextPieces {
  private readonly done: string[] = [];
  private open: string[] = [];
  private openLength = 0;
  private length = 0;

  add(text: string): void {
    this.length += text.length;
    if (this.length > MOST_TEXT) {
      throw new Error('The file would be too large for a browser; pyrometer export writes it.');
    }
    this.open.push(text);
    this.openLength += text.length;
    if (this.openLength > PIECE) this.flush();
  }

  finish(): string[] {
    this.flush();
    return this.done;
  }

  private flush(): void {
    this.done.push(this.open.join(''));
    this.open = [];
    this.openLength = 0;
  }
}
