import { describe, expect, it } from 'vitest';
import { makeGraph } from '../src/model/graph';
import { contrast, inkOn, parseColour } from '../src/parts/colour';
import { rampAt } from '../src/parts/colour_ramp';
import { cycleNumbers, findCycles } from '../src/screens/graph/cycles';
import { writeDot } from '../src/screens/graph/dot_file';
import { arrowHead, curve, heatOfNodes, layoutRequest, makeDrawing } from '../src/screens/graph/drawing';
import { layOutGraph } from '../src/screens/graph/layout';
import { NODE_STEPS, parseStep } from '../src/screens/graph/options';
import { fit, neighbourOf, reveal, zoom } from '../src/screens/graph/pan_zoom';
import { writeGraphSvg } from '../src/screens/graph/svg_file';
import { makeProfile } from './make_profile';

const edge = (caller: number, callee: number) => ({ caller, callee });

describe('cycles', () => {
  it('are functions that reach each other', () => {
    const edges = [edge(0, 1), edge(1, 2), edge(2, 1), edge(2, 3), edge(3, 4), edge(4, 5), edge(5, 3)];
    expect(findCycles(6, edges)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    expect([...cycleNumbers(6, edges)]).toEqual([0, 1, 1, 2, 2, 2]);
  });

  it('are not made by a function that calls itself, nor by diamonds', () => {
    expect(findCycles(4, [edge(0, 0), edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3)])).toEqual([]);
    expect(findCycles(0, [])).toEqual([]);
  });

  it('may be very long', () => {
    const count = 60_000;
    const ring = Array.from({ length: count }, (_, i) => edge(i, (i + 1) % count));
    expect(findCycles(count, ring)[0]).toHaveLength(count);
  });
});

const profile = makeProfile(
  [
    [0, 'main', 10],
    [1, 'say "hi"\\N', 30],
    [1, '<b>&', 20],
    [2, '<b>&', 40],
  ],
  {
    main: { file: '/p/run.py', line: 3 },
    'say "hi"\\N': { file: '/p/run.py', line: 9 },
  },
);
const options = { nodeShare: 0, edgeShare: 0, most: 100 };
const graph = makeGraph(profile.tree, profile.tables, options);
const heat = ['#fff7ec', '#fdd49e', '#fc8d59', '#d7301f', '#7f0000'];
const palette = {
  heat,
  weak: '#736d64',
  strong: '#d7301f',
  ink: '#000000',
  inks: ['#000', '#fff'],
  paper: '#ffffff',
  line: '#736d64',
};

describe('layout', () => {
  const request = layoutRequest(graph, profile.tables);
  const layout = layOutGraph(request);

  it('puts callees below callers and boxes beside each other', () => {
    const [main, library, say] = layout.nodes;
    expect(library.y).toBeGreaterThan(main.y);
    expect(say.y).toBeGreaterThan(main.y);
    const apart = Math.abs(library.x - say.x);
    expect(apart).toBeGreaterThanOrEqual((request.nodes[1].width + request.nodes[2].width) / 2);
  });

  it('keeps everything inside the picture', () => {
    layout.nodes.forEach(({ x, y }, i) => {
      expect(x - request.nodes[i].width / 2).toBeGreaterThanOrEqual(0);
      expect(y + request.nodes[i].height / 2).toBeLessThanOrEqual(layout.height);
    });
  });

  it('draws recursion as an arrow back to the box', () => {
    const loop = graph.edges.findIndex((each) => each.caller === each.callee);
    expect(layout.edges[loop].points.length).toBeGreaterThan(2);
    const drawing = makeDrawing(graph, profile.tables, layout, 'total', palette);
    expect(drawing.arrows[loop].isInCycle).toBe(true);
    expect(drawing.arrows[loop].path).toMatch(/^M[\d.]+,[\d.]+ Q/);
  });

  it('stands an empty graph', () => {
    expect(layOutGraph({ nodes: [], edges: [] })).toEqual({ width: 0, height: 0, nodes: [], edges: [] });
  });

  it('becomes an SVG file in which names are only text', () => {
    const svg = writeGraphSvg(makeDrawing(graph, profile.tables, layout, 'self', palette), palette);
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(parsed.querySelectorAll('g')).toHaveLength(3);
    expect(svg).toContain('&#60;b&#62;&#38;');
    expect(svg).not.toContain('<b>');
    expect(svg).toContain('60 % (60 %)');
  });
});

describe('shapes', () => {
  it('are curves through points, and arrow heads', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 10, y: 10 },
    ];
    expect(curve(points)).toBe('M0,0 Q10,0 10,10');
    expect(curve(points.slice(0, 2))).toBe('M0,0 L10,0');
    expect(curve([])).toBe('');
    expect(arrowHead(points.slice(0, 2), 4)).toBe('M10,0 L6,1.8 L6,-1.8 Z');
    expect(arrowHead([], 4)).toBe('');
  });

  it('are as hot as their total, or as their part of the largest self', () => {
    expect(heatOfNodes(graph, 'total')).toEqual([1, 0.6, 0.3]);
    expect(heatOfNodes(graph, 'self')).toEqual([10 / 60, 1, 0.5]);
  });
});

describe('DOT', () => {
  it('has the labels of gprof2dot and names that cannot break out', () => {
    const lines = writeDot(graph, profile.tables, 'total', palette).split('\n');
    expect(lines[0]).toBe('digraph {');
    expect(lines[4]).toBe(
      '\t0 [color="#7f0000", fontcolor="#ffffff", fontsize="10.00", label="run.py:3:main\\n100.00%\\n(10.00%)", ' +
        'tooltip="/p/run.py"];',
    );
    expect(lines[6]).toContain('label="run.py:9:say \\"hi\\"\\\\N\\n30.00%\\n(30.00%)"');
    expect(lines.find((line) => line.startsWith('\t0 -> 2'))).toBe(
      '\t0 -> 2 [arrowsize="0.55", fontsize="10.00", label="  30.00%", labeldistance="1.20", penwidth="1.20"];',
    );
    expect(lines.at(-2)).toBe('}');
  });

  it('has no share above the whole, though clocks may differ', () => {
    expect(writeDot({ ...graph, whole: 90 }, profile.tables, 'total', palette)).toContain('main\\n100.00%');
  });
});

describe('colours', () => {
  it('lie between the steps', () => {
    expect(rampAt(['#000', '#ffffff'], 0.5)).toBe('#808080');
    expect(rampAt(heat, 0)).toBe('#fff7ec');
    expect(rampAt(heat, 7)).toBe('#7f0000');
    expect(rampAt(heat, -1)).toBe('#fff7ec');
  });

  it('have text that can be read on every step', () => {
    for (let share = 0; share <= 1; share += 0.02) {
      const colour = rampAt(heat, share);
      const ink = inkOn(parseColour(colour), ['#000', '#fff']);
      expect(contrast(parseColour(colour), parseColour(ink))).toBeGreaterThan(4.5);
    }
  });
});

describe('moving the picture', () => {
  it('fits what can be read, else begins at the most important box', () => {
    expect(fit({ width: 100, height: 50 }, undefined, { width: 400, height: 150 })).toEqual({
      x: 150,
      y: 50,
      scale: 1,
    });
    const most = { x: 3000, y: 0, width: 100, height: 40 };
    expect(fit({ width: 9000, height: 50 }, most, { width: 400, height: 150 })).toEqual({
      x: 200 - 3050 * 0.75,
      y: 0,
      scale: 0.75,
    });
    const deep = { x: 3000, y: 500, width: 100, height: 40 };
    expect(fit({ width: 9000, height: 2000 }, deep, { width: 400, height: 150 }).y).toBe(75 - 520 * 0.75);
    expect(fit({ width: 0, height: 0 }, undefined, { width: 0, height: 0 }).scale).toBeGreaterThan(0);
  });

  it('zooms at the pointer and within limits', () => {
    expect(zoom({ x: 0, y: 0, scale: 1 }, 2, 100, 50)).toEqual({ x: -100, y: -50, scale: 2 });
    expect(zoom({ x: 0, y: 0, scale: 1 }, 1e9, 0, 0).scale).toBe(4);
  });

  it('walks to the nearest box in a direction', () => {
    const at = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
    const boxes = [at(0, 0), at(0, 100), at(60, 90), at(300, 0)];
    expect(neighbourOf(boxes, 0, 0, 1)).toBe(1);
    expect(neighbourOf(boxes, 0, 1, 0)).toBe(2);
    expect(neighbourOf(boxes, 0, 0, -1)).toBe(-1);
  });

  it('brings a box into sight', () => {
    const place = { x: 0, y: 0, scale: 1 };
    const view = { width: 200, height: 200 };
    expect(reveal(place, { x: 50, y: 50, width: 10, height: 10 }, view)).toBe(place);
    expect(reveal(place, { x: 500, y: -30, width: 10, height: 10 }, view)).toEqual({
      x: -330,
      y: 50,
      scale: 1,
    });
  });
});

describe('thresholds', () => {
  it('are one of the steps', () => {
    expect(parseStep('2', NODE_STEPS, 0.5)).toBe(2);
    expect(parseStep('', NODE_STEPS, 0.5)).toBe(0.5);
    expect(parseStep('1e99', NODE_STEPS, 0.5)).toBe(0.5);
  });
});
