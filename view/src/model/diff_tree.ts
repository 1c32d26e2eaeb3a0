// Two profiles in one tree of frames. A function is known by its file and qualified name, not by its
// line, which moves; of several with one name, the first by line is matched with the first, and so on.
import { NONE, type Tables } from '../data/types';
import { layOut } from './frame_layout';
import { FrameFinder, type FrameList } from './frame_list';
import { EVERY_FRAME, mergePaths } from './frames';
import type { CallTree, FrameTree } from './types';

export interface Side {
  readonly tree: CallTree;
  readonly tables: Tables;
}

export interface DiffFrames extends FrameTree {
  readonly beforeTotal: Float64Array;
  readonly afterTotal: Float64Array;
  readonly beforeSelf: Float64Array;
  readonly afterSelf: Float64Array;
  // 1: `function` is a row of the tables after; 0: it is gone, and a row of the tables before.
  readonly isInAfter: Uint8Array;
}

// Boxes are as wide as the frames are after, or before; those that are only on the other side have no width.
export function makeDiffFrames(before: Side, after: Side, width: 'before' | 'after' = 'after'): DiffFrames {
  const functionOf = matchFunctions(before.tables, after.tables);
  const inAfter = after.tables.functions.count;
  const merged = [after, before].map(({ tree, tables }) => mergePaths(tree, tables, EVERY_FRAME));
  const [wholeAfter, wholeBefore] = merged.map((each) => each.whole);

  const finder = new FrameFinder(merged[0].frames.count + merged[1].frames.count);
  const afterSelf = new Float64Array(merged[0].frames.count + merged[1].frames.count);
  const beforeSelf = new Float64Array(afterSelf.length);
  addFrames(finder, merged[0].frames, (fn) => fn, afterSelf);
  addFrames(finder, merged[1].frames, (fn) => functionOf[fn], beforeSelf);

  const isAfter = width === 'after';
  const frames = finder.finish(isAfter ? afterSelf : beforeSelf);
  const whole = isAfter ? wholeAfter : wholeBefore;
  const laid = layOut(frames, { whole, cutoff: 0, keepEmpty: true });
  const other = addOther(laid, isAfter ? beforeSelf : afterSelf);
  return {
    ...laid,
    function: laid.function.map((fn) => (fn < inAfter ? fn : fn - inAfter)),
    isInAfter: Uint8Array.from(laid.function, (fn) => (fn < inAfter ? 1 : 0)),
    beforeTotal: isAfter ? other.total : laid.total,
    beforeSelf: isAfter ? other.self : laid.self,
    afterTotal: isAfter ? laid.total : other.total,
    afterSelf: isAfter ? laid.self : other.self,
  };
}

// Rows that are there before and not after, without those inside of them; heaviest first.
export function removedFrames(diff: DiffFrames): Uint32Array {
  const rows = [];
  for (let row = 0; row < diff.count; ++row) {
    const above = diff.parent[row];
    const isGone = diff.afterTotal[row] === 0 && diff.beforeTotal[row] > 0;
    if (isGone && (above < 0 || diff.afterTotal[above] > 0)) rows.push(row);
  }
  return Uint32Array.from(rows.sort((a, b) => diff.beforeTotal[b] - diff.beforeTotal[a] || a - b));
}

function addFrames(
  finder: FrameFinder,
  frames: FrameList,
  functionOf: (fn: number) => number,
  self: Float64Array,
): void {
  const frameOf = new Int32Array(frames.count);
  for (let frame = 0; frame < frames.count; ++frame) {
    const above = frames.parent[frame];
    frameOf[frame] = finder.find(above < 0 ? -1 : frameOf[above], functionOf(frames.function[frame]));
    self[frameOf[frame]] += frames.self[frame];
  }
}

// The values of the side that the layout does not show, by row.
function addOther(laid: { count: number; parent: Int32Array; frame: Uint32Array }, selfOf: Float64Array) {
  const self = Float64Array.from(laid.frame, (frame) => selfOf[frame]);
  const total = self.slice();
  for (let row = laid.count - 1; row >= 0; --row) {
    if (laid.parent[row] >= 0) total[laid.parent[row]] += total[row];
  }
  return { self, total };
}

// By function before: its row after; one that is gone gets a number behind all rows after.
function matchFunctions(before: Tables, after: Tables): Uint32Array {
  const rows = new Map(keysOf(after).map((key, fn) => [key, fn]));
  return Uint32Array.from(keysOf(before), (key, fn) => rows.get(key) ?? after.functions.count + fn);
}

function keysOf({ texts, files, functions }: Tables): string[] {
  const inOrder = Uint32Array.from({ length: functions.count }, (_, fn) => fn).sort(
    (a, b) => functions.line[a] - functions.line[b] || a - b,
  );
  const keys = new Array<string>(functions.count);
  const seen = new Map<string, number>();
  for (const fn of inOrder) {
    const file = functions.file[fn] === NONE ? '' : texts.get(files.name[functions.file[fn]]);
    const key = `${file}\0${texts.get(functions.name[fn])}`;
    const same = seen.get(key) ?? 0;
    seen.set(key, same + 1);
    keys[fn] = `${key}\0${same}`;
  }
  return keys;
}
