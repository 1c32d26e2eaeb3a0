// Draws the lanes of a timeline. Activity is written pixel by pixel: its cost is that of the area.
import type { TimelineValues, Tables } from '../../data/types';
import { formatValue, visible } from '../../model/format';
import { inkOn, mix, parseColour, pixelOf } from '../../parts/colour';
import { widthOf, type Range } from '../../parts/range';
import { formatTick, makeTicks } from '../../parts/ticks';
import { bucketAt, seriesStart } from './activity';
import { categoryToken, isHatched } from './categories';
import { LANE_HEIGHT, lifeOf, regionThread, REGION_HEIGHT, type Row } from './rows';

export const AXIS_HEIGHT = 26;
const HATCH = { every: 7, wide: 2, faint: 0.5 }; // in CSS pixels, and the part of background in a line

export interface TimelineColours {
  readonly background: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly boxes: readonly string[];
  readonly inks: readonly [string, string];
  readonly font: string;
  readonly ofCategory: (category: string) => string;
}

export function timelineColours(token: (name: string) => string): TimelineColours {
  return {
    background: token('panel'),
    line: token('line'),
    ink: token('ink'),
    soft: token('soft'),
    accent: token('accent'),
    boxes: Array.from({ length: 8 }, (_, i) => token(`box${i}`)),
    inks: [token('on-light'), token('on-dark')],
    font: token('sans') || 'sans-serif',
    ofCategory: (category) => token(categoryToken(category)),
  };
}

export interface TimelineScene {
  readonly values: TimelineValues;
  readonly tables: Tables;
  readonly rows: readonly Row[];
  readonly highest: number; // activity that fills a lane
  readonly view: Range;
  readonly range: Range | null; // that is selected
  readonly colours: TimelineColours;
  readonly selected: number; // a row; -1: none
}

export interface Area {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly scrollTop: number;
}

export function timeToX(view: Range, width: number, seconds: number): number {
  return ((seconds - view.left) / widthOf(view)) * width;
}

export function paintTimeline(context: CanvasRenderingContext2D, scene: TimelineScene, area: Area): void {
  const inSight = scene.rows.filter((row) => {
    const top = row.top - area.scrollTop + AXIS_HEIGHT;
    return top + row.height > AXIS_HEIGHT && top < area.height;
  });
  context.setTransform(1, 0, 0, 1, 0, 0);
  paintActivity(context, scene, area, inSight);
  context.setTransform(area.scale, 0, 0, area.scale, 0, 0);
  context.textBaseline = 'middle';
  for (const row of inSight) {
    const top = row.top - area.scrollTop + AXIS_HEIGHT;
    if (row.kind === 'curve') paintCurve(context, scene, area, row, top);
    else {
      paintRegions(context, scene, area, row, top);
      if (row.index >= 0) paintLife(context, scene, area, row, top);
    }
    if (scene.rows[scene.selected] === row) {
      context.strokeStyle = scene.colours.ink;
      context.lineWidth = 1.5;
      context.strokeRect(1, top, area.width - 2, row.height);
    }
  }
  paintRange(context, scene, area);
  paintAxis(context, scene, area);
}

function paintActivity(
  context: CanvasRenderingContext2D,
  scene: TimelineScene,
  area: Area,
  rows: readonly Row[],
): void {
  const { values, view, colours } = scene;
  const width = Math.round(area.width * area.scale);
  const height = Math.round(area.height * area.scale);
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(pixelOf(parseColour(colours.background)));
  const paints = values.categories.map((name) => pixelOf(parseColour(colours.ofCategory(name))));
  const lines = values.categories.map((name, i) => {
    if (!isHatched(name)) return paints[i];
    const background = parseColour(colours.background);
    return pixelOf(mix(parseColour(colours.ofCategory(name)), background, HATCH.faint));
  });
  const isLine = (x: number, y: number) => ((x + y) / area.scale) % HATCH.every < HATCH.wide;
  const bucketOf = new Int32Array(width);
  for (let x = 0; x < width; ++x) {
    bucketOf[x] = bucketAt(values, view.left + ((x + 0.5) / width) * widthOf(view));
  }
  const lane = LANE_HEIGHT * area.scale;
  for (const row of rows) {
    if (row.kind !== 'track' || row.index < 0) continue;
    const bottom = Math.round((row.top - area.scrollTop + AXIS_HEIGHT + row.height) * area.scale);
    for (let x = 0; x < width; ++x) {
      if (bucketOf[x] < 0) continue;
      let sum = 0;
      let from = bottom;
      for (let category = 0; category < paints.length; ++category) {
        sum += values.activity[seriesStart(values, row.index, category) + bucketOf[x]];
        const to = bottom - Math.round(Math.min(1, sum / scene.highest) * lane);
        for (let y = Math.min(height, from) - 1; y >= Math.max(0, to); --y)
          pixels[y * width + x] = isLine(x, y) ? lines[category] : paints[category];
        from = to;
      }
    }
  }
  context.putImageData(image, 0, 0);
}

function paintCurve(
  context: CanvasRenderingContext2D,
  scene: TimelineScene,
  area: Area,
  row: Row,
  top: number,
): void {
  const { view, colours } = scene;
  const counter = scene.values.counters[row.index];
  const { low, high } = curveSpan(counter.value);
  const heightOf = (value: number) =>
    top + row.height - ((value - low) / (high - low)) * (row.height - 8) - 2;
  context.beginPath();
  let last = Number.NaN;
  for (let i = 0; i < counter.time.length; ++i) {
    const x = timeToX(view, area.width, counter.time[i]);
    const y = heightOf(counter.value[i]);
    if (i === 0) context.moveTo(x, y);
    else {
      // A value holds until the next one.
      context.lineTo(x, last);
      context.lineTo(x, y);
    }
    last = y;
  }
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  context.stroke();
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.strokeRect(0.5, top + 0.5, area.width - 1, row.height - 1);
  const text = `${formatValue(low, counter.unit)} … ${formatValue(high, counter.unit)}`;
  context.font = `11px ${colours.font}`;
  const room = context.measureText(text).width;
  context.fillStyle = colours.background;
  context.globalAlpha = 0.8;
  context.fillRect(3, top + 3, room + 8, 16);
  context.globalAlpha = 1;
  context.fillStyle = colours.soft;
  context.textAlign = 'left';
  context.fillText(text, 7, top + 11);
}

// From zero, unless nothing is below zero's share of the picture anyway.
export function curveSpan(values: Float64Array): { low: number; high: number } {
  let low = 0;
  let high = 0;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? { low, high } : { low, high: low + 1 };
}

function paintRegions(
  context: CanvasRenderingContext2D,
  scene: TimelineScene,
  area: Area,
  row: Row,
  top: number,
): void {
  if (row.regionRows === 0) return;
  const { values, view, colours } = scene;
  const { regions } = values;
  const owner = regionThread(values, scene.tables, row.id);
  context.font = `11px ${colours.font}`;
  context.textAlign = 'left';
  for (let i = 0; i < regions.thread.length; ++i) {
    if (regions.thread[i] !== owner || regions.depth[i] >= row.regionRows) continue;
    const x0 = Math.max(0, timeToX(view, area.width, regions.start[i]));
    const x1 = Math.min(area.width, timeToX(view, area.width, regions.start[i] + regions.duration[i]));
    if (x1 <= 0 || x0 >= area.width) continue;
    const y = top + regions.depth[i] * REGION_HEIGHT;
    const fill = colours.boxes[regions.name[i] % colours.boxes.length];
    context.fillStyle = fill;
    context.fillRect(x0, y, Math.max(1, x1 - x0 - 1), REGION_HEIGHT - 2);
    if (x1 - x0 < 30) continue;
    context.save();
    context.beginPath();
    context.rect(x0, y, x1 - x0 - 4, REGION_HEIGHT);
    context.clip();
    context.fillStyle = inkOn(parseColour(fill), colours.inks);
    context.fillText(visible(regions.names[regions.name[i]] ?? ''), x0 + 4, y + REGION_HEIGHT / 2 - 0.5);
    context.restore();
  }
}

// Before its start and after its end a thread was not there: a thin line, so that idle and absent differ.
function paintLife(
  context: CanvasRenderingContext2D,
  scene: TimelineScene,
  area: Area,
  row: Row,
  top: number,
): void {
  const { view, colours } = scene;
  const [start, end] = lifeOf(scene.tables, scene.values.by, row.id);
  const bottom = top + row.height;
  const x0 = Math.max(0, Math.min(area.width, timeToX(view, area.width, start)));
  const x1 = Math.max(0, Math.min(area.width, timeToX(view, area.width, Math.max(start, end))));
  context.fillStyle = colours.line;
  context.fillRect(x0, bottom, x1 - x0, 1);
  context.fillStyle = colours.soft;
  if (x0 > 0) context.fillRect(x0, bottom - LANE_HEIGHT, 1, LANE_HEIGHT);
  if (x1 < area.width) {
    context.fillRect(x1, bottom - LANE_HEIGHT, 1, LANE_HEIGHT);
    context.font = `11px ${colours.font}`;
    context.textAlign = 'left';
    if (row.state !== '') context.fillText(row.state, x1 + 5, bottom - LANE_HEIGHT / 2);
  }
}

function paintRange(context: CanvasRenderingContext2D, scene: TimelineScene, area: Area): void {
  if (!scene.range) return;
  const { colours } = scene;
  const x0 = Math.max(0, timeToX(scene.view, area.width, scene.range.left));
  const x1 = Math.min(area.width, timeToX(scene.view, area.width, scene.range.right));
  context.fillStyle = colours.background;
  context.globalAlpha = 0.65;
  context.fillRect(0, AXIS_HEIGHT, x0, area.height);
  context.fillRect(x1, AXIS_HEIGHT, area.width - x1, area.height);
  context.globalAlpha = 1;
  context.fillStyle = colours.accent;
  context.fillRect(x0, 0, 1.5, area.height);
  context.fillRect(x1 - 1.5, 0, 1.5, area.height);
}

function paintAxis(context: CanvasRenderingContext2D, scene: TimelineScene, area: Area): void {
  const { colours, view } = scene;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, area.width, AXIS_HEIGHT - 4);
  const ticks = makeTicks(view, Math.max(2, Math.floor(area.width / 110)));
  context.font = `11.5px ${colours.font}`;
  for (const value of ticks.values) {
    const x = Math.round(timeToX(view, area.width, value));
    context.fillStyle = colours.line;
    context.fillRect(x, 0, 1, AXIS_HEIGHT - 4);
    context.fillStyle = colours.soft;
    const text = formatTick(value, ticks.step);
    const isAtEdge = x + context.measureText(text).width + 6 > area.width;
    context.textAlign = isAtEdge ? 'right' : 'left';
    context.fillText(text, isAtEdge ? x - 4 : x + 4, AXIS_HEIGHT / 2 - 2);
  }
  context.textAlign = 'left';
}
