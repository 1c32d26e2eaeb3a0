// Where boxes and arrows go. Runs in a worker: a hundred boxes take a tenth of a second.
import { Graph, layout } from '@dagrejs/dagre';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface LayoutRequest {
  readonly nodes: readonly Size[];
  readonly edges: readonly (Size & { readonly from: number; readonly to: number })[];
  readonly groups: readonly (readonly number[])[]; // nodes that stay together
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
  readonly groups: readonly (Point & Size)[];
}

const MARGIN = 16;

export function layOutGraph(request: LayoutRequest): Layout {
  const graph = new Graph({ compound: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 18, edgesep: 10, ranksep: 30, marginx: MARGIN, marginy: MARGIN });
  request.nodes.forEach(({ width, height }, i) => graph.setNode(`n${i}`, { width, height }));
  request.groups.forEach((members, i) => {
    graph.setNode(`g${i}`, {});
    for (const member of members) graph.setParent(`n${member}`, `g${i}`);
  });
  for (const { from, to, width, height } of request.edges) {
    graph.setEdge(`n${from}`, `n${to}`, { width, height, labelpos: 'c' });
  }
  layout(graph);
  const at = (name: string) => graph.node(name) as Required<Point & Size>;
  const whole = graph.graph() as Size;
  return {
    width: finite(whole.width),
    height: finite(whole.height),
    nodes: request.nodes.map((_, i) => pointOf(at(`n${i}`))),
    edges: request.edges.map(({ from, to }) => {
      const edge = graph.edge(`n${from}`, `n${to}`) as Point & { points?: Point[] };
      return { points: (edge.points ?? []).map(pointOf), label: pointOf(edge) };
    }),
    groups: request.groups.map((_, i) => {
      const { width, height } = at(`g${i}`);
      return { ...pointOf(at(`g${i}`)), width: finite(width), height: finite(height) };
    }),
  };
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0; // an empty graph has no size
}

function pointOf({ x, y }: Point): Point {
  return { x: finite(x), y: finite(y) };
}
