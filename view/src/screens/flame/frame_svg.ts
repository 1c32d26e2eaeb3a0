// A flame picture as an SVG file, with the names and numbers of all boxes that can be seen in it.
import { escapeXml } from '../../parts/download';
import { visitArcs, layoutRings, type Arc, type Rings } from './sunburst';
import type { Scene } from './scene';
import { shownLevels } from './scene';
import { widthOf, type Range } from '../../parts/range';
import { firstEndingAfter } from './levels';

const ROW = 18;
const FONT_SIZE = 11;
const LETTER = 6.4; // the mean width of a letter
const NARROWEST = 0.5; // pixels
const MOST_LEVELS = 500; // 9,000 pixels; viewers refuse much more
const TITLE_HEIGHT = 26;
const LINE = 13; // room that a line of text needs

export interface SvgTexts {
  readonly title: string;
  readonly name: (row: number) => string;
  readonly describe: (row: number) => string;
}

export function frameSvg(scene: Scene, view: Range, width: number, height: number, texts: SvgTexts): string {
  const isRound = scene.shape === 'sunburst';
  const levels = Math.min(shownLevels(scene), MOST_LEVELS);
  const down = isRound ? height : levels * ROW;
  const body = isRound ? rings(scene, width, height, texts) : boxes(scene, view, width, levels, texts);
  const { palette } = scene;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${down + TITLE_HEIGHT}" viewBox="0 ${-TITLE_HEIGHT} ${width} ${down + TITLE_HEIGHT}" font-family="${escapeXml(palette.font)}" font-size="${FONT_SIZE}">
<rect y="${-TITLE_HEIGHT}" width="100%" height="100%" fill="${palette.background}"/>
<text x="4" y="-9" font-size="13" fill="${palette.line}">${escapeXml(texts.title)}</text>
${body}</svg>
`;
}

const short = (value: number) => String(Number(value.toFixed(2)));

function cut(text: string, room: number): string {
  const letters = Math.floor(room / LETTER);
  if (text.length <= letters) return text;
  return letters < 3 ? '' : `${text.slice(0, letters - 1)}…`;
}

// A box with its name on it; the group's colour is the shape's.
function box(
  scene: Scene,
  texts: SvgTexts,
  row: number,
  shape: string,
  textAt: string,
  name: string,
): string {
  const colour = scene.colourOf(row);
  const { fills, inks } = scene.palette;
  const text = name && `<text fill="${inks[colour]}" ${textAt}>${escapeXml(name)}</text>`;
  return `<g fill="${fills[colour]}"><title>${escapeXml(texts.describe(row))}</title>${shape}${text}</g>\n`;
}

function boxes(scene: Scene, view: Range, width: number, levels: number, texts: SvgTexts): string {
  const { frames, shown } = scene;
  const scale = width / widthOf(view);
  const pieces: string[] = [];
  for (let level = 0; level < levels; ++level) {
    const y = scene.shape === 'flame' ? (levels - 1 - level) * ROW : level * ROW;
    let row = firstEndingAfter(frames.right, shown.from[level], shown.to[level], view.left);
    for (; row < shown.to[level] && frames.left[row] < view.right; ++row) {
      const x0 = Math.max(0, (frames.left[row] - view.left) * scale);
      const x1 = Math.min(width, (frames.right[row] - view.left) * scale);
      if (x1 - x0 < NARROWEST) continue;
      const gap = x1 - x0 > 3 ? 0.8 : 0;
      const rect = `<rect x="${short(x0)}" y="${y}" width="${short(x1 - x0 - gap)}" height="${ROW - 1}" rx="1"/>`;
      const name = cut(texts.name(row), x1 - x0 - 6);
      pieces.push(box(scene, texts, row, rect, `x="${short(x0 + 3)}" y="${y + 12.5}"`, name));
    }
  }
  return pieces.join('');
}

function rings(scene: Scene, width: number, height: number, texts: SvgTexts): string {
  const layout = layoutRings(scene.shown, scene.depth, width, height);
  const pieces: string[] = [];
  visitArcs(scene.frames, scene.shown, layout, (arc) => {
    if ((arc.end - arc.start) * arc.outer < NARROWEST) return;
    const path = `<path d="${arcPath(layout, arc)}" stroke="${scene.palette.background}" stroke-width="0.6"/>`;
    const length = (arc.end - arc.start) * (arc.inner + arc.outer) * 0.5;
    const room = arc.inner <= 0 ? arc.outer * 1.7 : layout.thickness - 6;
    const name = length < LINE ? '' : cut(texts.name(arc.row), room);
    pieces.push(box(scene, texts, arc.row, path, arcTextAt(layout, arc), name));
  });
  return pieces.join('');
}

// SVG draws no arc whose ends meet, so a full ring is two halves.
export function arcPath(layout: Rings, arc: Arc): string {
  const point = (radius: number, angle: number) =>
    `${short(layout.x + radius * Math.sin(angle))} ${short(layout.y - radius * Math.cos(angle))}`;
  const middle = (arc.start + arc.end) / 2;
  const curve = (radius: number, isBack: boolean) => {
    const to = isBack ? arc.start : arc.end;
    const sweep = isBack ? 0 : 1;
    const half = (angle: number) => `A${short(radius)} ${short(radius)} 0 0 ${sweep} ${point(radius, angle)}`;
    return half(middle) + half(to);
  };
  const start = `M${point(arc.outer, arc.start)}${curve(arc.outer, false)}`;
  const isDisc = arc.inner <= 0;
  return `${start}L${point(arc.inner, arc.end)}${isDisc ? '' : curve(arc.inner, true)}Z`;
}

// Along the radius, not on its head; in the middle disc level.
function arcTextAt(layout: Rings, arc: Arc): string {
  const isDisc = arc.inner <= 0;
  const middle = (arc.start + arc.end) / 2;
  const radius = isDisc ? 0 : (arc.inner + arc.outer) / 2;
  const x = short(layout.x + radius * Math.sin(middle));
  const y = short(layout.y - radius * Math.cos(middle));
  const turned = (middle * 180) / Math.PI - 90;
  const degrees = short(isDisc ? 0 : middle > Math.PI ? turned + 180 : turned);
  return `transform="translate(${x} ${y}) rotate(${degrees})" text-anchor="middle" dy="0.35em"`;
}
