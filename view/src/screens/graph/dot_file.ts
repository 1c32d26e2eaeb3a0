// The graph as DOT, for Graphviz: labels, sizes and widths as `pyrometer graph` and gprof2dot write them.
import { NONE, type Tables } from '../../data/types';
import { nameOf, placeOf, visible } from '../../model/format';
import { cappedShare } from '../../parts/share';
import type { CallGraph } from '../../model/types';
import { heatOfNodes, type ColourBy, type Palette } from './drawing';
import { formatColour, inkOn, parseColour } from '../../parts/colour';
import { rampAt } from '../../parts/colour_ramp';

// Backslashes are doubled, so that no name can use Graphviz's own \N or \l.
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

// Graphviz knows no short colours.
function inkFor(fill: string, palette: Palette): string {
  return formatColour(parseColour(inkOn(parseColour(fill), palette.inks)));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

export function writeDot(graph: CallGraph, tables: Tables, by: ColourBy, palette: Palette): string {
  const hot = heatOfNodes(graph, by);
  const out = [
    'digraph {',
    '\tgraph [fontname=Arial, nodesep=0.125, ranksep=0.25];',
    '\tnode [fontname=Arial, height=0, shape=box, style=filled, width=0];',
    '\tedge [fontname=Arial];',
  ];
  graph.nodes.forEach((node, i) => {
    const place = placeOf(tables, node.function);
    const lines = [
      place ? `${place}:${nameOf(tables, node.function)}` : nameOf(tables, node.function),
      percent(cappedShare(node.total, graph.whole)),
      `(${percent(cappedShare(node.self, graph.whole))})`,
    ];
    if (node.calls > 0) lines.push(`${node.calls}×`);
    const colour = rampAt(palette.heat, hot[i]);
    const file = tables.functions.file[node.function];
    const path = file === NONE ? '' : visible(tables.texts.get(tables.files.path[file]));
    out.push(
      `\t${i} [color="${colour}", fontcolor="${inkFor(colour, palette)}", fontsize="10.00", ` +
        `label=${quoted(lines.join('\n'))}${path && `, tooltip=${quoted(path)}`}];`,
    );
  });
  for (const edge of graph.edges) {
    const share = cappedShare(edge.total, graph.whole);
    const width = Math.max(4 * share, 0.5);
    // Graphviz puts the text right against the arrow.
    const lines = [`  ${percent(share)}`];
    if (edge.calls > 0) lines.push(`  ${edge.calls}×`);
    out.push(
      `\t${edge.caller} -> ${edge.callee} [arrowsize="${(0.5 * Math.sqrt(width)).toFixed(2)}", fontsize="10.00", ` +
        `label=${quoted(lines.join('\n'))}, labeldistance="${width.toFixed(2)}", penwidth="${width.toFixed(2)}"];`,
    );
  }
  return `${out.join('\n')}\n}\n`;
}
