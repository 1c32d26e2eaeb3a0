// Where boxes and arrows go. Runs in a worker: a hundred boxes take a tenth of a second.
import { Graph, layout } from '@dagrejs/dagre';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface LayoutRequest {
  readonly nodes: readonly Size[];
  readonly edges: readonly (Size & { readonly from: number; readonly to: number })[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Point[]; // centres
  readonly edges: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

const MARGIN = 16;

export function layOutGraph(request: LayoutRequest): Layout {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 18, edgesep: 10, ranksep: 30, marginx: MARGIN, marginy: MARGIN });
  request.nodes.forEach(({ width, height }, i) => graph.setNode(`n${i}`, { width, height }));
  for (const { from, to, width, height } of request.edges) {
    graph.setEdge(`n${from}`, `n${to}`, { width, height, labelpos: 'r', labeloffset: 3 });
  }
  layout(graph);
  const whole = graph.graph() as Size;
  return {
    width: finite(whole.width),
    height: finite(whole.height),
    nodes: request.nodes.map((_, i) => pointOf(graph.node(`n${i}`) as Point)),
    edges: request.edges.map(({ from, to }) => {
      const edge = graph.edge(`n${from}`, `n${to}`) as Point & { points?: Point[] };
      return { points: (edge.points ?? []).map(pointOf), label: pointOf(edge) };
    }),
  };
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0; // an empty graph has no size
}

function pointOf({ x, y }: Point): Point {
  return { x: finite(x), y: finite(y) };
}
