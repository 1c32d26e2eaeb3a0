// Every way to add up a tree, against the plainest way there is: all paths written out.
import { describe, expect, it } from 'vitest';
import { EVERY_FRAME, makeFrames } from '../src/model/frames';
import { groupRows, makeFunctionRows } from '../src/model/functions';
import { makeGraph } from '../src/model/graph';
import { makeInverted } from '../src/model/inverted';
import { makeFunctionLines } from '../src/model/lines';
import { calleesOf, callersOf, makeCallers } from '../src/model/sandwich';
import { filterTree, matchedShare } from '../src/model/search';
import type { CallTree, FrameTree } from '../src/model/types';
import { makeProfile, type Profile, type Row } from './make_profile';

const FUNCTIONS = 6;

function randomProfile(seed: number, count: number): Profile {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const rows: Row[] = [];
  for (let depth = 0; rows.length < count;) {
    rows.push([depth, `f${random(FUNCTIONS)}`, random(4), 1 + random(3)]);
    depth = Math.max(0, depth + 1 - random(4));
  }
  const names = Array.from({ length: FUNCTIONS }, (_, i) => `f${i}`);
  const facts = names.map((name, i) => [name, { module: `m${i % 2}`, file: `/file${i % 3}.py` }] as const);
  return makeProfile(rows, Object.fromEntries(facts));
}

// By node: the functions from the root down.
function pathsOf(tree: CallTree): number[][] {
  const paths: number[][] = [];
  for (let node = 0; node < tree.count; ++node) {
    const above = tree.parent[node] < 0 ? [] : paths[tree.parent[node]];
    paths.push([...above, tree.function[node]]);
  }
  return paths;
}

class Sums extends Map<string, number> {
  add(key: readonly number[], value: number): void {
    if (value !== 0) this.set(key.join(), (this.get(key.join()) ?? 0) + value);
  }
}

function sumsOf(frames: FrameTree): Sums {
  const sums = new Sums();
  const paths: number[][] = [];
  for (let row = 0; row < frames.count; ++row) {
    const above = frames.parent[row] < 0 ? [] : paths[frames.parent[row]];
    paths.push([...above, frames.function[row]]);
    sums.add(paths[row], frames.total[row]);
  }
  return sums;
}

function checkPicture(frames: FrameTree): void {
  for (let row = 0; row < frames.count; ++row) {
    const above = frames.parent[row];
    expect(frames.right[row] - frames.left[row]).toBe(frames.total[row]);
    expect(frames.left[row]).toBeGreaterThanOrEqual(above < 0 ? 0 : frames.left[above]);
    expect(frames.right[row]).toBeLessThanOrEqual(above < 0 ? frames.whole : frames.right[above]);
  }
  for (let level = 0; level + 1 < frames.levels.length; ++level) {
    for (let row = frames.levels[level] + 1; row < frames.levels[level + 1]; ++row) {
      expect(frames.left[row]).toBeGreaterThanOrEqual(frames.right[row - 1]);
    }
  }
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('random tree %d', (seed) => {
  const { tree, tables } = randomProfile(seed, 40 * seed);
  const paths = pathsOf(tree);
  const whole = tree.self.reduce((sum, value) => sum + value, 0);
  // What the paths give for which `isRight`.
  const total = (isRight: (path: readonly number[], node: number) => boolean) =>
    paths.reduce((sum, path, node) => sum + (isRight(path, node) ? tree.self[node] : 0), 0);

  it('becomes frames', () => {
    const expected = new Sums();
    paths.forEach((path, node) => {
      for (let length = 1; length <= path.length; ++length)
        expected.add(path.slice(0, length), tree.self[node]);
    });
    const frames = makeFrames(tree, tables, EVERY_FRAME);
    expect(sumsOf(frames)).toEqual(expected);
    checkPicture(frames);
  });

  it('becomes frames below a root', () => {
    const expected = new Sums();
    paths.forEach((path, node) => {
      const start = path.indexOf(2);
      if (start < 0) return;
      for (let end = start + 1; end <= path.length; ++end)
        expected.add(path.slice(start, end), tree.self[node]);
    });
    const frames = makeFrames(tree, tables, { ...EVERY_FRAME, root: 2 });
    expect(sumsOf(frames)).toEqual(expected);
    checkPicture(frames);
  });

  it('keeps everything when recursion is collapsed, and no function twice on a path', () => {
    const frames = makeFrames(tree, tables, { ...EVERY_FRAME, collapseRecursion: true });
    checkPicture(frames);
    expect(frames.self.reduce((sum, value) => sum + value, 0)).toBe(whole);
    for (const path of sumsOf(frames).keys()) {
      const functions = path.split(',');
      expect(new Set(functions).size).toBe(functions.length);
    }
  });

  it('becomes callers', () => {
    const expected = new Sums();
    paths.forEach((path, node) => {
      const upwards = path.toReversed();
      for (let length = 1; length <= path.length; ++length) {
        expected.add(upwards.slice(0, length), tree.self[node]);
      }
    });
    const inverted = makeInverted(tree, tables, { ...EVERY_FRAME, minimumShare: 0 });
    expect(sumsOf(inverted)).toEqual(expected);
    checkPicture(inverted);
    const ofOne = new Sums();
    paths.forEach((path, node) => {
      const upwards = path.slice(0, path.indexOf(1) + 1).toReversed();
      for (let length = 1; length <= upwards.length; ++length)
        ofOne.add(upwards.slice(0, length), tree.self[node]);
    });
    expect(sumsOf(makeCallers(tree, tables, 1, 1000))).toEqual(ofOne);
  });

  it('becomes functions, groups, lines and a graph', () => {
    const rows = makeFunctionRows(tree);
    rows.function.forEach((fn, row) => {
      expect(rows.self[row]).toBe(total((path) => path.at(-1) === fn));
      expect(rows.total[row]).toBe(total((path) => path.includes(fn)));
      const lines = makeFunctionLines(tree, tables, fn);
      expect(lines.self.reduce((sum, value) => sum + value, 0)).toBe(rows.self[row]);
    });
    const modules = groupRows(rows, tables, 'module');
    modules.key.forEach((module, row) => {
      const isIn = (fn: number) => tables.functions.module[fn] === module;
      expect(modules.total[row]).toBe(total((path) => path.some(isIn)));
    });
    const graph = makeGraph(tree, tables, { nodeShare: 0, edgeShare: 0, most: 1e9 });
    for (const node of graph.nodes) expect(node.total).toBe(total((path) => path.includes(node.function)));
    for (const edge of graph.edges) {
      const [caller, callee] = [graph.nodes[edge.caller].function, graph.nodes[edge.callee].function];
      const isOn = (path: readonly number[]) =>
        path.some((fn, at) => fn === caller && path[at + 1] === callee);
      expect(edge.total).toBe(total(isOn));
    }
  });

  it('has neighbours of each function', () => {
    for (const { function: caller, total: found } of callersOf(tree, 3)) {
      expect(found).toBe(total((path) => path.indexOf(3) > 0 && path[path.indexOf(3) - 1] === caller));
    }
    for (const { function: callee, total: found } of calleesOf(tree, 3)) {
      expect(found).toBe(total((path) => path.some((fn, at) => fn === 3 && path[at + 1] === callee)));
    }
  });

  it('is searched', () => {
    const matches = new Uint8Array(FUNCTIONS);
    matches[1] = matches[4] = 1;
    const matched = total((path) => path.includes(1) || path.includes(4));
    expect(matchedShare(tree, matches)).toBe(matched / whole);
    expect(filterTree(tree, matches).whole).toBe(matched);
  });
});
