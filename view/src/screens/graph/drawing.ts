// The call graph as shapes, for the screen and for files alike.
import type { Tables } from '../../data/types';
import { cappedShare } from '../../parts/share';
import type { CallGraph } from '../../model/types';
import { cycleNumbers } from './cycles';
import { inkOn, parseColour } from '../../parts/colour';
import { rampAt } from '../../parts/colour_ramp';
import { edgeLabel, nodeLabel, type NodeLabel } from './labels';
import type { Layout, LayoutRequest, Point, Size } from './layout';

const LETTER = 7.3; // width of one at 12 px in the monospaced font, rounded up
const LINE = 15;
const PADDING = 8;

export interface Palette {
  readonly heat: readonly string[];
  readonly weak: string; // the faintest arrow
  readonly strong: string;
  readonly ink: string;
  readonly inks: readonly string[]; // on boxes, one of these
  readonly paper: string;
  readonly line: string;
}

export interface Box {
  readonly function: number;
  readonly x: number; // the left upper corner
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly ink: string;
  readonly label: NodeLabel;
  readonly lines: readonly string[];
}

export interface Arrow {
  readonly from: number; // boxes
  readonly to: number;
  readonly path: string;
  readonly head: string;
  readonly width: number;
  readonly colour: string;
  readonly isInCycle: boolean;
  readonly label: Point;
  readonly lines: readonly string[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly hottest: number; // the box with most time of its own; -1: there is none
  readonly arrows: readonly Arrow[];
}

export type ColourBy = 'total' | 'self';

function linesOf(label: NodeLabel): string[] {
  return [label.name, ...(label.place ? [label.place] : []), ...label.figures];
}

// How much room labels need.
function sizeOf(lines: readonly string[], padding: number) {
  const longest = lines.reduce((most, line) => Math.max(most, [...line].length), 0);
  return { width: Math.ceil(longest * LETTER) + 2 * padding, height: lines.length * LINE + 2 * padding - 4 };
}

export function layoutRequest(graph: CallGraph, tables: Tables): LayoutRequest {
  const cycles = cycleNumbers(graph.nodes.length, graph.edges);
  return {
    nodes: graph.nodes.map((node, i) => sizeOf(linesOf(nodeLabel(graph, node, tables, cycles[i])), PADDING)),
    edges: graph.edges.map((edge) => ({
      from: edge.caller,
      to: edge.callee,
      ...sizeOf(edgeLabel(graph, edge), 2),
    })),
  };
}

// How hot boxes are, 0 to 1. Self times are small against the whole: the largest is the hottest.
export function heatOfNodes(graph: CallGraph, by: ColourBy): number[] {
  if (by === 'total') return graph.nodes.map((node) => cappedShare(node.total, graph.whole));
  const most = graph.nodes.reduce((max, node) => Math.max(max, node.self), 0);
  return graph.nodes.map((node) => cappedShare(node.self, most));
}

export function makeDrawing(
  graph: CallGraph,
  tables: Tables,
  layout: Layout,
  by: ColourBy,
  palette: Palette,
): Drawing {
  const { nodes, edges } = layoutRequest(graph, tables);
  const heat = heatOfNodes(graph, by);
  const cycles = cycleNumbers(graph.nodes.length, graph.edges);
  const selfs = graph.nodes.map((node) => node.self);
  return {
    width: layout.width,
    height: layout.height,
    hottest: selfs.indexOf(Math.max(...selfs)),
    boxes: graph.nodes.map((node, i) => {
      const label = nodeLabel(graph, node, tables, cycles[i]);
      const { width, height } = nodes[i];
      const fill = rampAt(palette.heat, heat[i]);
      const corner = { x: layout.nodes[i].x - width / 2, y: layout.nodes[i].y - height / 2 };
      return {
        function: node.function,
        ...corner,
        width,
        height,
        fill,
        ink: inkOn(parseColour(fill), palette.inks),
        label,
        lines: linesOf(label),
      };
    }),
    arrows: graph.edges.map((edge, i) => {
      const share = cappedShare(edge.total, graph.whole);
      const width = Math.max(4 * share, 0.6);
      const isLoop = edge.caller === edge.callee;
      const { points, label } = isLoop
        ? loopAt(layout.nodes[edge.caller], nodes[edge.caller], edges[i].width)
        : layout.edges[i];
      const cycle = cycles[edge.caller];
      return {
        from: edges[i].from,
        to: edges[i].to,
        path: curve(points),
        head: arrowHead(points, 5 + width),
        width,
        colour: rampAt([palette.weak, palette.strong], Math.sqrt(share)),
        isInCycle: isLoop || (cycle > 0 && cycle === cycles[edge.callee]),
        label,
        lines: edgeLabel(graph, edge),
      };
    }),
  };
}

// A function that calls itself: an arrow out of the right side and back.
function loopAt(centre: Point, size: Size, labelWidth: number): { points: Point[]; label: Point } {
  const right = centre.x + size.width / 2;
  const at = (dx: number, dy: number) => ({ x: right + dx, y: centre.y + dy });
  return {
    points: [at(0, -8), at(14, -14), at(18, 0), at(14, 14), at(0, 8)],
    label: at(20 + labelWidth / 2, 0),
  };
}

const short = (value: number) => String(Math.round(value * 10) / 10);
const pair = ({ x, y }: Point) => `${short(x)},${short(y)}`;

// A smooth line through all points: from middle to middle, bending at the points.
export function curve(points: readonly Point[]): string {
  if (points.length === 0) return '';
  const pieces = [`M${pair(points[0])}`];
  for (let i = 1; i + 1 < points.length; ++i) {
    const isLast = i + 2 === points.length;
    const end = isLast ? points[i + 1] : middle(points[i], points[i + 1]);
    pieces.push(`Q${pair(points[i])} ${pair(end)}`);
  }
  if (points.length === 2) pieces.push(`L${pair(points[1])}`);
  return pieces.join(' ');
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

export function arrowHead(points: readonly Point[], size: number): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const along = { x: ((tip.x - before.x) / length) * size, y: ((tip.y - before.y) / length) * size };
  const left = { x: tip.x - along.x - along.y * 0.45, y: tip.y - along.y + along.x * 0.45 };
  const right = { x: tip.x - along.x + along.y * 0.45, y: tip.y - along.y - along.x * 0.45 };
  return `M${pair(tip)} L${pair(left)} L${pair(right)} Z`;
}

export const TEXT = { line: LINE, padding: PADDING };
