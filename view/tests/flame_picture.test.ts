import { describe, expect, it } from 'vitest';
import { EVERY_FRAME, makeFrames } from '../src/model/frames';
import { makeInverted } from '../src/model/inverted';
import { contrast, parseColour } from '../src/parts/colour';
import {
  colourByHeat,
  colourByMatch,
  colourByModule,
  isMatch,
  makePalette,
} from '../src/screens/flame/box_colours';
import { describeFrame } from '../src/screens/flame/describe';
import { arcPath, frameSvg } from '../src/screens/flame/frame_svg';
import { Labels } from '../src/screens/flame/labels';
import { subtreeOf } from '../src/screens/flame/levels';
import { levelAtHeight, levelsInSight, topOfLevel, type Scene, type Shape } from '../src/screens/flame/scene';
import { arcAt, FULL_CIRCLE, layoutRings, visitArcs } from '../src/screens/flame/sunburst';
import { makeProfile, makeRecursion } from './make_profile';
import { readFileSync } from 'node:fs';

const EVIL = '</title><script>alert(1)</script>\u202e';
const profile = makeProfile(
  [
    [0, 'main', 25],
    [1, 'solve', 50],
    [1, EVIL, 25],
  ],
  {
    solve: { file: 'src/wave.py', line: 52, module: 'wave' },
    main: { module: 'wave' },
    [EVIL]: { module: 'x' },
  },
);
const frames = makeFrames(profile.tree, profile.tables, EVERY_FRAME);
const [MAIN, SOLVE, HOSTILE] = [0, 1, 2];
const picture = { frames, whole: frames.whole, unit: 'ns', start: 0, hiddenLevels: 0 } as const;

// The tokens as they are in the style sheet.
const sheet = readFileSync('src/styles/tokens.css', 'utf8');
function tokens(theme: 'light' | 'dark'): (name: string) => string {
  const [light, dark] = sheet.split(":root[data-theme='dark']");
  const find = (text: string, name: string) => new RegExp(`--${name}:\\s*([^;]+);`).exec(text)?.[1].trim();
  return (name) => (theme === 'dark' ? find(dark, name) : undefined) ?? find(light, name) ?? '';
}

function sceneOf(shape: Shape, root = -1, of = frames, depth = 99): Scene {
  const palette = makePalette(tokens('light'));
  const labels = new Labels(profile.tables, (text) => text.length * 6);
  const shown = subtreeOf(of, root);
  return {
    frames: of,
    shown,
    depth,
    shape,
    palette,
    colourOf: () => 0,
    labels,
    selected: -1,
    axisStart: null,
  };
}

describe('colours of boxes', () => {
  it.each(['light', 'dark'] as const)('are read well with their ink, %s', (theme) => {
    const palette = makePalette(tokens(theme));
    const contrasts = palette.fills.map((fill, i) =>
      contrast(parseColour(fill), parseColour(palette.inks[i])),
    );
    expect(palette.fills).toHaveLength(42);
    expect(Math.min(...contrasts)).toBeGreaterThan(4.5);
  });

  it('are the same for the same module', () => {
    const colourOf = colourByModule(frames, profile.tables);
    expect(colourOf(MAIN)).toBe(colourOf(SOLVE));
    expect(colourOf(MAIN)).toBeLessThan(8);
  });

  it('are hotter the more is spent, and stay in the palette', () => {
    const colourOf = colourByHeat(Float64Array.from([0, 1, 50, 100, 200, -1]), 100);
    const steps = [0, 1, 2, 3, 4, 5].map(colourOf);
    expect(steps).toEqual([8, 11, 30, 39, 39, 8]);
    expect(colourByHeat(Float64Array.from([0]), 0)(0)).toBe(8);
  });

  it('tell matches from the rest', () => {
    const matches = new Uint8Array(3);
    matches[profile.fn('solve')] = 1;
    expect([MAIN, SOLVE, HOSTILE].map(colourByMatch(frames, matches)).map(isMatch)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('labels', () => {
  const labels = new Labels(profile.tables, (text) => text.length * 6);
  it('are cut to what fits', () => {
    expect(labels.fitting(profile.fn('solve'), 30)).toBe('solve');
    expect(labels.fitting(profile.fn('solve'), 24)).toBe('sol…');
    expect(labels.fitting(profile.fn('solve'), 12)).toBe('');
  });
});

describe('a frame in words', () => {
  it('has at most five lines', () => {
    expect(describeFrame(picture, profile.tables, SOLVE, false)).toEqual({
      name: 'solve',
      lines: ['wave.py:52 · wave', 'total 50 ns (50 %)', 'own 50 ns (50 %)', '50 % of main'],
    });
  });

  it('says whose cost came along a path when inverted', () => {
    const inverted = makeInverted(profile.tree, profile.tables, { ...EVERY_FRAME, minimumShare: 0 });
    const upside = { ...picture, frames: inverted };
    const lines = (row: number) => describeFrame(upside, profile.tables, row, true).lines;
    expect(lines(0).slice(1)).toEqual(['own 50 ns (50 %)']);
    expect(lines(3).slice(1)).toEqual(['50 ns (50 %) of solve came this way', '100 % of solve']);
  });
});

describe('where levels are', () => {
  const placing = { width: 100, height: 100, scale: 1, scrollTop: 0, view: { left: 0, right: 100 } };
  const { tree, tables } = makeRecursion(10_000);
  const deep = makeFrames(tree, tables, EVERY_FRAME);

  it('icicles hang from the top, flames stand on the ground', () => {
    expect([0, 1].map((level) => topOfLevel(sceneOf('icicle'), placing, level))).toEqual([0, 20]);
    expect([0, 1].map((level) => topOfLevel(sceneOf('flame'), placing, level))).toEqual([80, 60]);
    expect([5, 25, 99].map((y) => levelAtHeight(sceneOf('icicle'), placing, y))).toEqual([0, 1, 4]);
    expect([85, 65, 1].map((y) => levelAtHeight(sceneOf('flame'), placing, y))).toEqual([0, 1, 4]);
  });

  it('only those in sight are drawn', () => {
    expect(levelsInSight(sceneOf('icicle', -1, deep, 1e9), { ...placing, scrollTop: 2000 })).toEqual([
      100, 106,
    ]);
    expect(levelsInSight(sceneOf('icicle', -1, deep, 3), placing)).toEqual([0, 3]);
    const [first, end] = levelsInSight(sceneOf('flame', -1, deep, 1e9), { ...placing, scrollTop: 199_900 });
    expect([first, end - first < 8]).toEqual([0, true]);
  });

  it('an axis moves them down', () => {
    expect(topOfLevel({ ...sceneOf('icicle'), axisStart: 0 }, placing, 0)).toBe(22);
  });
});

describe('rings', () => {
  const shown = subtreeOf(frames, -1);
  const rings = layoutRings(shown, 10, 212, 400);

  it('fill the smaller side, with the whole in the middle', () => {
    expect(rings).toEqual({ x: 106, y: 200, thickness: 100 / 3, levels: 2, first: 1 });
    expect(layoutRings(subtreeOf(frames, SOLVE), 10, 212, 400)).toMatchObject({
      levels: 1,
      first: 0,
      thickness: 64,
    });
  });

  it('are never thinner than can be seen', () => {
    const { tree, tables } = makeRecursion(10_000);
    const deep = subtreeOf(makeFrames(tree, tables, EVERY_FRAME), -1);
    expect(layoutRings(deep, 1e9, 212, 212).levels).toBe(10);
  });

  it('turn clockwise from the top', () => {
    const arcs: number[][] = [];
    const turns = (angle: number) => Number((angle / FULL_CIRCLE).toFixed(9));
    visitArcs(frames, shown, rings, ({ row, start, end }) => arcs.push([row, turns(start), turns(end)]));
    expect(arcs).toEqual([
      [MAIN, 0, 1],
      [SOLVE, 0, 0.5],
      [HOSTILE, 0.5, 0.75],
    ]);
  });

  it('are found under the pointer', () => {
    const at = (x: number, y: number) => arcAt(frames, shown, rings, rings.x + x, rings.y + y);
    expect(at(0, -10)).toBe(-1);
    expect(at(50, 0)).toBe(MAIN);
    expect(at(80, 0)).toBe(SOLVE);
    expect(at(-80, 10)).toBe(HOSTILE);
    expect(at(-80, -10)).toBe(-1);
    expect(at(150, 0)).toBe(-1);
  });
});

describe('the SVG', () => {
  const texts = {
    title: 'Wall <time>',
    name: (row: number) => ['main', 'solve', EVIL][row],
    describe: (row: number) => `about ${['main', 'solve', EVIL][row]}`,
  };
  const parse = (svg: string) => new DOMParser().parseFromString(svg, 'application/xml');

  it('has a box and a title per frame, and nothing of a name runs', () => {
    const svg = frameSvg(sceneOf('icicle'), { left: 0, right: 100 }, 1000, 0, texts);
    expect(svg).not.toContain('<script');
    const page = parse(svg);
    expect(page.querySelectorAll('g')).toHaveLength(3);
    expect([...page.querySelectorAll('g rect')].map((rect) => rect.getAttribute('width'))).toEqual([
      '999.2',
      '499.2',
      '249.2',
    ]);
    expect(page.querySelector('g:nth-of-type(3) title')?.textContent).toContain('</title><script>alert(1)');
  });

  it('leaves out what is narrower than half a pixel', () => {
    const svg = frameSvg(sceneOf('flame'), { left: 0, right: 100 }, 1.5, 0, texts);
    expect(parse(svg).querySelectorAll('g')).toHaveLength(2);
  });

  it('draws full rings as two halves', () => {
    const rings = layoutRings(subtreeOf(frames, -1), 10, 212, 212);
    const path = arcPath(rings, { row: 0, inner: 10, outer: 20, start: 0, end: FULL_CIRCLE });
    expect(path.match(/A/g)).toHaveLength(4);
    const svg = frameSvg(sceneOf('sunburst'), { left: 0, right: 100 }, 400, 400, texts);
    expect(parse(svg).querySelectorAll('g > path')).toHaveLength(3);
  });
});
