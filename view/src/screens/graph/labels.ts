// What boxes and arrows say, as gprof2dot's do: total, (self), calls; of arrows total and calls.
import type { Tables } from '../../data/types';
import { formatCount, formatShare, nameOf, placeOf, shorten } from '../../model/format';
import { cappedShare } from '../../parts/share';
import type { CallGraph, CallGraphEdge, CallGraphNode } from '../../model/types';

const LONGEST_NAME = 26;

export interface NodeLabel {
  readonly name: string;
  readonly place: string;
  readonly figures: readonly string[];
  readonly title: string;
}

// `cycle`: the number of the circle of calls it is in; 0: none.
export function nodeLabel(graph: CallGraph, node: CallGraphNode, tables: Tables, cycle: number): NodeLabel {
  const name = nameOf(tables, node.function);
  const place = placeOf(tables, node.function);
  const total = formatShare(cappedShare(node.total, graph.whole));
  const self = formatShare(cappedShare(node.self, graph.whole));
  const figures = [`${total} (${self})`];
  if (node.calls > 0) figures.push(`${formatCount(node.calls)}×`);
  if (cycle > 0) figures.push(`in cycle ${cycle}`);
  return {
    name: shorten(name, LONGEST_NAME),
    place: shorten(place, LONGEST_NAME),
    figures,
    title: `${name}${place && `, ${place}`}: total ${total}, self ${self}`,
  };
}

export function edgeLabel(graph: CallGraph, edge: CallGraphEdge): string[] {
  const lines = [formatShare(cappedShare(edge.total, graph.whole))];
  if (edge.calls > 0) lines.push(`${formatCount(edge.calls)}×`);
  return lines;
}
