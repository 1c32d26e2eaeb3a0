// The tables of a profile, checked: whoever holds a Tables may follow its rows without looking.
import { column, damaged, decodeTexts, type Column, type Columns } from './columns';
import { NONE, type Tables } from './types';

export function makeTables(from: Columns): Tables {
  const u8 = (name: string) => column(from, name, Uint8Array);
  const u32 = (name: string) => column(from, name, Uint32Array);
  const f64 = (name: string) => column(from, name, Float64Array);

  const texts = decodeTexts(from);
  const files = { name: u32('file.name'), path: u32('file.path') };
  const functions = {
    name: u32('function.name'),
    file: u32('function.file'),
    line: u32('function.line'),
    kind: u8('function.kind'),
    origin: u8('function.origin'),
    module: u32('function.module'),
  };
  const up = u32('node.up');
  const nodes = { function: u32('node.function'), line: u32('node.line') };
  const threads = {
    process: u32('thread.process'),
    name: u32('thread.name'),
    class: u8('thread.class'),
    start: f64('thread.start'),
    end: f64('thread.end'),
  };
  const processes = {
    rank: column(from, 'process.rank', Int32Array),
    host: u32('process.host'),
    pid: f64('process.pid'),
    start: f64('process.start'),
    duration: f64('process.duration'),
    status: u8('process.status'),
  };

  const tables: Tables = {
    texts,
    files: { count: sameLength('file', files), ...files },
    functions: { count: sameLength('function', functions), ...functions },
    nodes: { count: sameLength('node', { up, ...nodes }), parent: findParents(up), ...nodes },
    threads: { count: sameLength('thread', threads), ...threads },
    processes: { count: sameLength('process', processes), ...processes },
  };
  checkRows('file.name', files.name, texts.count);
  checkRows('file.path', files.path, texts.count);
  checkRows('function.name', functions.name, texts.count);
  checkRows('function.module', functions.module, texts.count);
  checkRows('function.file', functions.file, tables.files.count, NONE);
  checkRows('node.function', nodes.function, tables.functions.count);
  checkRows('thread.name', threads.name, texts.count);
  checkRows('thread.process', threads.process, tables.processes.count);
  checkRows('process.host', processes.host, texts.count);
  return tables;
}

function sameLength(table: string, columns: Readonly<Record<string, Column>>): number {
  const lengths = Object.values(columns).map((each) => each.length);
  if (lengths.some((length) => length !== lengths[0])) {
    throw damaged(`the columns of the table ${table} have different lengths`);
  }
  return lengths[0];
}

function checkRows(name: string, rows: Uint32Array, count: number, none = -1): void {
  for (const row of rows) {
    if (row >= count && row !== none) throw damaged(`${name} refers to a row that does not exist`);
  }
}

// Trees are walked by "the rows that follow are my subtree", so a parent must still be open when its
// child comes.
function findParents(up: Uint32Array): Int32Array {
  const parent = new Int32Array(up.length);
  for (let i = 0; i < up.length; ++i) {
    if (up[i] > i) throw damaged('a call-tree position stands before its caller');
    const above = up[i] === 0 ? -1 : i - up[i];
    let open = i - 1;
    while (open > above) open = parent[open];
    if (open !== above) throw damaged('the call tree is not in order');
    parent[i] = above;
  }
  return parent;
}
