// The timeline as an SVG file: each kind of activity of a track is one stepped shape.
import { formatValue, shorten, visible } from '../../model/format';
import { inkOn, parseColour } from '../../parts/colour';
import { escapeXml } from '../../parts/download';
import { formatTick, makeTicks } from '../../parts/ticks';
import { bucketWidth, secondsByCategory, seriesStart } from './activity';
import { categoryWords } from './categories';
import { curveSpan, timeToX, type TimelineScene } from './paint_timeline';
import { LANE_HEIGHT, regionThread, REGION_HEIGHT, type Row } from './rows';

const NAMES = 190;
const AXIS = 26;
const LEGEND = 24;
const short = (value: number) => String(Number(value.toFixed(1)));

export function timelineSvg(scene: TimelineScene, height: number, width: number): string {
  const { colours } = scene;
  const across = width - NAMES;
  const rows = scene.rows.map((row) => {
    const lane =
      row.kind === 'curve'
        ? curve(scene, row, across)
        : regions(scene, row, across) + activity(scene, row, across);
    const name = `<text x="-8" y="${row.top + row.height - Math.min(row.height, LANE_HEIGHT) / 2 + 4}" text-anchor="end" fill="${colours.ink}">${escapeXml(shorten(row.name, 28))}</text>`;
    return `<g><title>${escapeXml(row.name)}</title>${name}${lane}</g>\n`;
  });
  const down = height + AXIS + LEGEND;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${down}" viewBox="0 0 ${width} ${down}" font-family="${escapeXml(colours.font)}" font-size="12">
<rect width="100%" height="100%" fill="${colours.background}"/>
<g transform="translate(${NAMES} 0)">${axis(scene, across)}</g>
<svg x="0" y="${AXIS}" width="${width}" height="${height}"><g transform="translate(${NAMES} 0)">
${rows.join('')}</g></svg>
${legend(scene, height + AXIS + 16)}</svg>
`;
}

function axis(scene: TimelineScene, width: number): string {
  const ticks = makeTicks(scene.view, Math.max(2, Math.floor(width / 110)));
  return ticks.values
    .map((value) => {
      const x = short(timeToX(scene.view, width, value));
      const text = escapeXml(formatTick(value, ticks.step));
      return `<path d="M${x} 4V22" stroke="${scene.colours.line}"/><text x="${Number(x) + 4}" y="16" fill="${scene.colours.soft}">${text}</text>`;
    })
    .join('');
}

function legend(scene: TimelineScene, y: number): string {
  const { values, colours } = scene;
  let x = NAMES;
  return values.categories
    .map((name) => {
      const at = x;
      const words = categoryWords(name);
      x += 32 + words.length * 6.6;
      return `<rect x="${short(at)}" y="${y - 9}" width="10" height="10" fill="${colours.ofCategory(name)}"/><text x="${short(at + 15)}" y="${y}" fill="${colours.soft}">${escapeXml(words)}</text>`;
    })
    .join('');
}

// Buckets in sight, each as the two edges in pixels.
function edges(scene: TimelineScene, width: number): { first: number; x: number[] } {
  const { values, view } = scene;
  const step = bucketWidth(values);
  if (!(step > 0)) return { first: 0, x: [] };
  const first = Math.max(0, Math.floor((view.left - values.from) / step));
  const last = Math.min(values.buckets, Math.ceil((view.right - values.from) / step));
  const x: number[] = [];
  for (let bucket = first; bucket <= last; ++bucket) {
    const at = timeToX(view, width, values.from + bucket * step);
    x.push(Math.max(0, Math.min(width, at)));
  }
  return { first, x };
}

function activity(scene: TimelineScene, row: Row, width: number): string {
  const { values, colours } = scene;
  const { first, x } = edges(scene, width);
  if (x.length < 2 || row.index < 0) return '';
  const bottom = row.top + row.height;
  const sums = new Float64Array(x.length - 1);
  const seconds = secondsByCategory(values, row.index, scene.view);
  return values.categories
    .map((name, category) => {
      const start = seriesStart(values, row.index, category) + first;
      const heights = (of: Float64Array) =>
        Array.from(of, (sum) => Math.min(1, sum / scene.highest) * LANE_HEIGHT);
      const below = heights(sums);
      for (let i = 0; i < sums.length; ++i) sums[i] += values.activity[start + i];
      if (!(seconds[category] > 0)) return '';
      const above = heights(sums);
      const title = `${categoryWords(name)}: ${formatValue(seconds[category] * 1e9, 'ns')}`;
      const path = steps(x, above, bottom) + steps(x, below, bottom, true);
      return `<path fill="${colours.ofCategory(name)}" d="M${path}Z"><title>${escapeXml(title)}</title></path>`;
    })
    .join('');
}

// Points along the tops of buckets, from left to right or back; equal neighbours are one step.
function steps(x: readonly number[], heights: readonly number[], bottom: number, isBack = false): string {
  const points: string[] = [];
  const count = heights.length;
  for (let i = 0; i < count; ++i) {
    const at = isBack ? count - 1 - i : i;
    const y = short(bottom - heights[at]);
    const next = isBack ? at - 1 : at + 1;
    points.push(`${short(x[isBack ? at + 1 : at])} ${y}`);
    // Only the end of a run is written.
    let end = next;
    while (end >= 0 && end < count && heights[end] === heights[at]) {
      ++i;
      end += isBack ? -1 : 1;
    }
    points.push(`${short(x[isBack ? end + 1 : end])} ${y}`);
  }
  return (isBack ? 'L' : '') + points.join('L');
}

function regions(scene: TimelineScene, row: Row, width: number): string {
  const { values, view, colours } = scene;
  const { thread, name, names, depth, start, duration } = values.regions;
  const owner = regionThread(values, scene.tables, row.id);
  let text = '';
  for (let i = 0; i < thread.length; ++i) {
    if (thread[i] !== owner || depth[i] >= row.regionRows) continue;
    const x0 = Math.max(0, timeToX(view, width, start[i]));
    const x1 = Math.min(width, timeToX(view, width, start[i] + duration[i]));
    if (x1 - x0 < 0.5) continue;
    const fill = colours.boxes[name[i] % colours.boxes.length];
    const y = row.top + depth[i] * REGION_HEIGHT;
    const shown = escapeXml(visible(names[name[i]] ?? ''));
    const label = `<text x="${short(x0 + 4)}" y="${y + 11.5}" font-size="11" fill="${inkOn(parseColour(fill), colours.inks)}">${shown}</text>`;
    text += `<g><title>${shown}</title><rect x="${short(x0)}" y="${y}" width="${short(x1 - x0)}" height="${REGION_HEIGHT - 2}" fill="${fill}"/>${shown.length * 6.5 < x1 - x0 ? label : ''}</g>`;
  }
  return text;
}

function curve(scene: TimelineScene, row: Row, width: number): string {
  const { view, colours, values } = scene;
  const { time, value, unit } = values.counters[row.index];
  const { low, high } = curveSpan(value);
  const points: string[] = [];
  for (let i = 0; i < time.length; ++i) {
    const x = timeToX(view, width, time[i]);
    if (x < 0 && i + 1 < time.length && timeToX(view, width, time[i + 1]) < 0) continue;
    if (x > width) break;
    const y = row.top + row.height - ((value[i] - low) / (high - low)) * (row.height - 8) - 2;
    points.push(points.length === 0 ? `M${short(Math.max(0, x))} ${short(y)}` : `H${short(x)}V${short(y)}`);
  }
  const span = `${formatValue(low, unit)} … ${formatValue(high, unit)}`;
  return `<path d="${points.join('')}" fill="none" stroke="${colours.accent}" stroke-width="1.5"/><text x="6" y="${row.top + 13}" font-size="11" fill="${colours.soft}">${escapeXml(span)}</text>`;
}
