// Call paths as the boxes of a flame graph, read from the root down.
import { Origin, type Tables } from '../data/types';
import { layOut } from './frame_layout';
import { FrameFinder, type FrameList } from './frame_list';
import type { CallTree, FrameOptions, FrameTree } from './types';

export const EVERY_FRAME: FrameOptions = {
  collapseRecursion: false,
  ownCodeOnly: false,
  hiddenModules: [],
  root: null,
  cutoff: 0,
};

export function makeFrames(tree: CallTree, tables: Tables, options: FrameOptions): FrameTree {
  const { frames, whole } = mergePaths(tree, tables, options);
  return layOut(frames, { whole, cutoff: options.cutoff });
}

export interface MergedPaths {
  readonly frames: FrameList;
  readonly frameOf: Int32Array; // by node; -1: in no frame
  readonly whole: number; // what is in the picture, in frames or beside them
}

const enum Fate {
  kept = 0,
  library = 1, // kept when own code calls it
  hidden = 2,
}

// Positions become functions: f at line 3 and f at line 9 of one caller are one frame. What options
// fold away counts as own time of the frame that called it.
export function mergePaths(tree: CallTree, tables: Tables, options: FrameOptions): MergedPaths {
  const { count, parent, function: functions, end, self } = tree;
  const { root, collapseRecursion } = options;
  const fates = findFates(tables, options);
  const finder = new FrameFinder(count);
  const frameOf = new Int32Array(count).fill(-1);
  const isInLibrary = new Uint8Array(count);
  const frameSelf = new Float64Array(count);
  // Of functions that are running: their outermost frame, and the row where they have ended.
  const openFrame = new Int32Array(tables.functions.count);
  const openUntil = new Uint32Array(tables.functions.count);
  let rootUntil = root === null ? count : 0;
  let whole = 0;

  for (let node = 0; node < count; ++node) {
    const fn = functions[node];
    const isRoot = node >= rootUntil;
    if (isRoot) {
      if (fn !== root) continue;
      rootUntil = end[node];
    }
    const above = isRoot ? -1 : parent[node];
    const caller = above < 0 ? -1 : frameOf[above];
    const isCallerInLibrary = above >= 0 && isInLibrary[above] !== 0;
    const fate = isRoot ? Fate.kept : fates[fn];
    let frame = caller;
    if (fate === Fate.hidden) {
      isInLibrary[node] = isCallerInLibrary ? 1 : 0;
    } else {
      isInLibrary[node] = fate;
      if (fate === Fate.kept || !isCallerInLibrary) {
        const isRecursion = collapseRecursion && node < openUntil[fn];
        frame = isRecursion ? openFrame[fn] : finder.find(caller, fn);
        if (!isRecursion) {
          openFrame[fn] = frame;
          openUntil[fn] = end[node];
        }
      }
    }
    frameOf[node] = frame;
    // A box cannot be narrower than nothing.
    if (self[node] > 0) {
      whole += self[node];
      if (frame >= 0) frameSelf[frame] += self[node];
    }
  }
  return { frames: finder.finish(frameSelf), frameOf, whole };
}

function findFates(tables: Tables, options: FrameOptions): Uint8Array {
  const { count, origin, module } = tables.functions;
  const fates = new Uint8Array(count);
  const hidden = new Set(options.hiddenModules);
  for (let fn = 0; fn < count; ++fn) {
    if (hidden.size > 0 && hidden.has(tables.texts.get(module[fn]))) fates[fn] = Fate.hidden;
    else if (options.ownCodeOnly && isLibrary(origin[fn])) fates[fn] = Fate.library;
  }
  return fates;
}

function isLibrary(origin: Origin): boolean {
  return origin !== Origin.own && origin !== Origin.other;
}
