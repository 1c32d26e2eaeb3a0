import { describe, expect, it } from 'vitest';
import { makeGraph, makeRecordedGraph } from '../src/model/graph';
import { makeProfile, makeRecursion } from './make_profile';
import type { CallGraph } from '../src/model/types';

const profile = makeProfile([
  [0, 'main', 0],
  [1, 'f', 10],
  [2, 'g', 20],
  [3, 'f', 5],
  [1, 'g', 60],
  [1, 'tiny', 5],
]);
const ALL = { nodeShare: 0, edgeShare: 0, most: 100 };

const name = (fn: number) => profile.tables.texts.get(profile.tables.functions.name[fn]);
const nodes = (graph: CallGraph) => graph.nodes.map((node) => [name(node.function), node.total, node.self]);
const edges = (graph: CallGraph) =>
  graph.edges.map((edge) => [
    name(graph.nodes[edge.caller].function),
    name(graph.nodes[edge.callee].function),
    edge.total,
  ]);

describe('a call graph', () => {
  it('has every function and every pair of caller and callee once', () => {
    const graph = makeGraph(profile.tree, profile.tables, ALL);
    expect(nodes(graph)).toEqual([
      ['main', 100, 0],
      ['g', 85, 80],
      ['f', 35, 15],
      ['tiny', 5, 5],
    ]);
    expect(edges(graph)).toEqual([
      ['main', 'g', 60],
      ['main', 'f', 35],
      ['f', 'g', 25],
      ['main', 'tiny', 5],
      ['g', 'f', 5],
    ]);
    expect([graph.whole, graph.hiddenNodes, graph.hiddenEdges]).toEqual([100, 0, 0]);
  });

  it('leaves out what is small, and says how much', () => {
    const graph = makeGraph(profile.tree, profile.tables, { nodeShare: 0.1, edgeShare: 0.1, most: 100 });
    expect(nodes(graph).map(([each]) => each)).toEqual(['main', 'g', 'f']);
    expect(edges(graph).length).toBe(3);
    expect([graph.hiddenNodes, graph.hiddenEdges]).toEqual([1, 2]);
    const few = makeGraph(profile.tree, profile.tables, { ...ALL, most: 2 });
    expect(edges(few)).toEqual([['main', 'g', 60]]);
    expect([few.hiddenNodes, few.hiddenEdges]).toEqual([2, 4]);
  });

  it('below a root has only that, in percentages of the program', () => {
    const graph = makeGraph(profile.tree, profile.tables, { ...ALL, nodeShare: 0.5, root: profile.fn('f') });
    expect(nodes(graph)).toEqual([
      ['f', 35, 15],
      ['g', 25, 20],
    ]);
    expect(graph.whole).toBe(100);
  });

  it('draws recursion as an edge to itself, never above the whole', () => {
    const { tree, tables } = makeRecursion(10_000);
    const graph = makeGraph(tree, tables, ALL);
    expect(graph.nodes).toEqual([{ function: 0, self: 10_000, total: 10_000, calls: 0 }]);
    expect(graph.edges).toEqual([{ caller: 0, callee: 0, total: 9_999, calls: 0 }]);
  });

  it('may be empty', () => {
    const { tree, tables } = makeProfile([]);
    const empty = { nodes: [], edges: [], whole: 0, hiddenNodes: 0, hiddenEdges: 0 };
    expect(makeGraph(tree, tables, ALL)).toEqual(empty);
  });

  it('grows with many edges', () => {
    const rows = Array.from({ length: 5000 }, (_, i) => [1, `f${i}`, 1] as const);
    const { tree, tables } = makeProfile([[0, 'main', 0], ...rows]);
    expect(makeGraph(tree, tables, { ...ALL, most: 1e9 }).edges.length).toBe(5000);
  });
});

describe('a graph of recorded calls', () => {
  const functions = {
    function: Uint32Array.of(0, 1, 2),
    self: Float64Array.of(1, 2, 7),
    total: Float64Array.of(10, 9, 7),
    calls: Float64Array.of(1, 3, 50),
    primitive: Float64Array.of(1, 3, 50),
  };
  const calls = {
    caller: Uint32Array.of(0, 1, 2),
    callee: Uint32Array.of(1, 2, 2),
    self: Float64Array.of(2, 7, 0),
    total: Float64Array.of(9, 7, 1),
    calls: Float64Array.of(3, 40, 10),
  };

  it('keeps the counts of calls', () => {
    const graph = makeRecordedGraph(functions, calls, 10, { ...ALL, edgeShare: 0.2 });
    expect(graph.nodes[2]).toEqual({ function: 2, self: 7, total: 7, calls: 50 });
    expect(graph.edges).toEqual([
      { caller: 0, callee: 1, total: 9, calls: 3 },
      { caller: 1, callee: 2, total: 7, calls: 40 },
    ]);
    expect(graph.hiddenEdges).toBe(1);
  });

  it('below a root has what can be reached', () => {
    const graph = makeRecordedGraph(functions, calls, 10, { ...ALL, root: 1 });
    expect(graph.nodes.map((node) => node.function)).toEqual([1, 2]);
    expect(graph.edges.length).toBe(2);
  });
});
