// The call graph: functions and who calls whom, without what is too small to draw (gprof2dot's -n and -e).
import type { EdgeValues, FunctionValues, Tables } from '../data/types';
import { PairTable } from './pair_table';
import type { CallGraph, CallGraphEdge, CallGraphNode, CallTree } from './types';

export interface GraphOptions {
  readonly nodeShare: number; // functions with a smaller total are left out
  readonly edgeShare: number; // likewise calls
  readonly most: number; // functions at most, those with the largest totals
  readonly root?: number | null; // only what is below this function
}

// Shares are of the whole, or of the root where there is one; `whole` stays that of the program, as in
// gprof2dot, so that percentages mean the same in every graph. Recursion counts once.
export function makeGraph(tree: CallTree, tables: Tables, options: GraphOptions): CallGraph {
  const root = options.root ?? null;
  const count = tables.functions.count;
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const openUntil = new Uint32Array(count);
  const pairs = new PairTable();
  let edgeTotal = new Float64Array(1024);
  let edgeUntil = new Uint32Array(1024);
  let rootUntil = root === null ? tree.count : 0;

  for (let node = 0; node < tree.count; ++node) {
    const fn = tree.function[node];
    const isRoot = node >= rootUntil;
    if (isRoot) {
      if (fn !== root) continue;
      rootUntil = tree.end[node];
    }
    self[fn] += tree.self[node];
    if (node >= openUntil[fn]) {
      openUntil[fn] = tree.end[node];
      total[fn] += tree.total[node];
    }
    const above = tree.parent[node];
    if (isRoot || above < 0) continue;
    const edge = pairs.put(tree.function[above], fn);
    if (edge === edgeTotal.length) {
      const [totals, untils] = [edgeTotal, edgeUntil];
      (edgeTotal = new Float64Array(2 * edge)).set(totals);
      (edgeUntil = new Uint32Array(2 * edge)).set(untils);
    }
    if (node < edgeUntil[edge]) continue;
    edgeUntil[edge] = tree.end[node];
    edgeTotal[edge] += tree.total[node];
  }

  const nodes: CallGraphNode[] = [];
  for (let fn = 0; fn < count; ++fn) {
    if (total[fn] > 0) nodes.push({ function: fn, self: self[fn], total: total[fn], calls: 0 });
  }
  const edges: CallGraphEdge[] = [];
  for (let edge = 0; edge < pairs.count; ++edge) {
    if (edgeTotal[edge] <= 0) continue;
    edges.push({ caller: pairs.first[edge], callee: pairs.second[edge], total: edgeTotal[edge], calls: 0 });
  }
  return prune(nodes, edges, tree.whole, root === null ? tree.whole : total[root], options);
}

// The same of calls as they were recorded (cProfile), where paths are only estimated.
export function makeRecordedGraph(
  functions: FunctionValues,
  calls: EdgeValues,
  whole: number,
  options: GraphOptions,
): CallGraph {
  const root = options.root ?? null;
  const isBelow = root === null ? () => true : reachable(calls, root);
  const nodes: CallGraphNode[] = [];
  let base = whole;
  functions.function.forEach((fn, row) => {
    if (fn === root) base = functions.total[row];
    if (!isBelow(fn)) return;
    nodes.push({
      function: fn,
      self: functions.self[row],
      total: functions.total[row],
      calls: functions.calls[row],
    });
  });
  const edges = Array.from(calls.caller, (caller, row) => ({
    caller,
    callee: calls.callee[row],
    total: calls.total[row],
    calls: calls.calls[row],
  })).filter((edge) => isBelow(edge.caller) && isBelow(edge.callee));
  return prune(nodes, edges, whole, base, options);
}

// What can be called, directly or not, from `root`.
function reachable(calls: EdgeValues, root: number): (fn: number) => boolean {
  const calleesOf = new Map<number, number[]>();
  calls.caller.forEach((caller, row) => {
    const known = calleesOf.get(caller);
    if (known) known.push(calls.callee[row]);
    else calleesOf.set(caller, [calls.callee[row]]);
  });
  const found = new Set([root]);
  for (const fn of found) for (const callee of calleesOf.get(fn) ?? []) found.add(callee);
  return (fn) => found.has(fn);
}

// Edges come with functions and leave with positions in the nodes that are kept.
function prune(
  nodes: readonly CallGraphNode[],
  edges: readonly CallGraphEdge[],
  whole: number,
  base: number,
  { nodeShare, edgeShare, most }: GraphOptions,
): CallGraph {
  const kept = nodes
    .filter((node) => node.total >= nodeShare * base)
    .sort((a, b) => b.total - a.total || b.self - a.self || a.function - b.function)
    .slice(0, most);
  const positionOf = new Map(kept.map((node, position) => [node.function, position]));
  const keptEdges: CallGraphEdge[] = [];
  for (const edge of edges) {
    const caller = positionOf.get(edge.caller);
    const callee = positionOf.get(edge.callee);
    if (caller === undefined || callee === undefined || edge.total < edgeShare * base) continue;
    keptEdges.push({ ...edge, caller, callee });
  }
  keptEdges.sort((a, b) => b.total - a.total || a.caller - b.caller || a.callee - b.callee);
  return {
    nodes: kept,
    edges: keptEdges,
    whole,
    hiddenNodes: nodes.length - kept.length,
    hiddenEdges: edges.length - keptEdges.length,
  };
}
