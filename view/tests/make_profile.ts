// Small profiles for tests, written as one would draw them: a row per call-tree position.
import { NONE, type Tables } from '../src/data/types';
import { makeCallTree } from '../src/model/call_tree';
import type { CallTree, FrameTree } from '../src/model/types';

export type Row = readonly [depth: number, name: string, self: number, line?: number];

export interface FunctionFacts {
  readonly file?: string;
  readonly line?: number;
  readonly module?: string;
  readonly origin?: number;
}

export interface Profile {
  readonly tables: Tables;
  readonly tree: CallTree;
  fn(name: string): number;
}

class TextList {
  readonly list: string[] = [];
  private readonly rows = new Map<string, number>();
  row(text: string): number {
    let row = this.rows.get(text);
    if (row === undefined) {
      row = this.list.push(text) - 1;
      this.rows.set(text, row);
    }
    return row;
  }
}

// A function "f#2" is another one of the name "f".
export function makeProfile(
  rows: readonly Row[],
  facts: Readonly<Record<string, FunctionFacts>> = {},
): Profile {
  const texts = new TextList();
  const functions = new TextList();
  const files = new TextList();
  for (const name of Object.keys(facts)) functions.row(name);
  const parent: number[] = [];
  const open: number[] = [];
  rows.forEach(([depth, name], row) => {
    functions.row(name);
    open.length = depth;
    parent.push(open.at(-1) ?? -1);
    open.push(row);
  });
  const names = functions.list;
  const of = names.map((name) => facts[name] ?? {});
  const u32 = (values: readonly number[]) => Uint32Array.from(values);
  const file = of.map((each) => (each.file === undefined ? NONE : files.row(each.file)));
  const main = texts.row('main');
  const tables: Tables = {
    functions: {
      count: names.length,
      name: u32(names.map((name) => texts.row(name.split('#')[0]))),
      file: u32(file),
      line: u32(of.map((each) => each.line ?? 0)),
      kind: new Uint8Array(names.length),
      origin: Uint8Array.from(of, (each) => each.origin ?? 0),
      module: u32(of.map((each) => texts.row(each.module ?? ''))),
    },
    files: {
      count: files.list.length,
      name: u32(files.list.map((path) => texts.row(path.split('/').at(-1)!))),
      path: u32(files.list.map((path) => texts.row(path))),
    },
    nodes: {
      count: rows.length,
      parent: Int32Array.from(parent),
      function: u32(rows.map(([, name]) => functions.row(name))),
      line: u32(rows.map(([, , , line]) => line ?? 0)),
    },
    threads: {
      count: 1,
      process: u32([0]),
      name: u32([main]),
      class: new Uint8Array(1),
      start: new Float64Array(1),
      end: new Float64Array(1),
    },
    processes: {
      count: 1,
      rank: Int32Array.from([-1]),
      host: u32([main]),
      pid: Float64Array.from([7]),
      start: new Float64Array(1),
      duration: new Float64Array(1),
      status: new Uint8Array(1),
    },
    texts: { count: texts.list.length, get: (index) => texts.list[index] ?? '' },
  };
  const tree = makeCallTree(
    tables,
    Float64Array.from(rows, ([, , self]) => self),
  );
  return { tables, tree, fn: (name) => names.indexOf(name) };
}

// `depth` calls of one function inside each other, each with a value of 1.
export function makeRecursion(depth: number): Profile {
  return makeProfile(Array.from({ length: depth }, (_, at) => [at, 'f', 1, 3] as const));
}

// "name left-right self" by level, as a picture shows it.
export function draw(frames: FrameTree, { tables }: Profile): string[][] {
  const levels = [];
  for (let level = 0; level + 1 < frames.levels.length; ++level) {
    const boxes = [];
    for (let row = frames.levels[level]; row < frames.levels[level + 1]; ++row) {
      const name = tables.texts.get(tables.functions.name[frames.function[row]]);
      boxes.push(`${name} ${frames.left[row]}-${frames.right[row]} ${frames.self[row]}`);
    }
    levels.push(boxes);
  }
  return levels;
}
