// Who calls a function and whom it calls, from recorded edges.
import type { EdgeValues } from '../../data/types';

export interface Neighbour {
  readonly function: number;
  readonly total: number;
  readonly self: number;
  readonly calls: number; // 0: not counted
}

function neighbours(edges: EdgeValues, fn: number, at: Uint32Array, other: Uint32Array): Neighbour[] {
  const found: Neighbour[] = [];
  for (let i = 0; i < at.length; ++i) {
    if (at[i] !== fn) continue;
    found.push({ function: other[i], total: edges.total[i], self: edges.self[i], calls: edges.calls[i] });
  }
  return found.sort((a, b) => b.total - a.total);
}

export function callersByEdges(edges: EdgeValues, fn: number): Neighbour[] {
  return neighbours(edges, fn, edges.callee, edges.caller);
}

export function calleesByEdges(edges: EdgeValues, fn: number): Neighbour[] {
  return neighbours(edges, fn, edges.caller, edges.callee);
}
