// The bars of ranks on a canvas: time upwards, ranks side by side, idle ones and hosts marked below.
import { token } from '../../app/theme';
import { formatTick, makeTicks as makeTimeTicks } from '../../parts/ticks';
import { fitText } from './heat_draw';
import type { Tick } from './heat_cells';
import { PARTS, type HostRun, type RankBars } from './rank_bars';

const SECOND = 1e9;
const TOP = 8;
const MARK_HEIGHT = 7;
const NUMBER_HEIGHT = 16;
const HOST_HEIGHT = 16;

export interface BarsPicture {
  readonly bars: RankBars;
  readonly places: number; // ranks side by side
  readonly ticks: readonly Tick[];
  readonly hosts: readonly (HostRun & { readonly name: string })[];
  readonly isMarked: Uint8Array; // columns in the scope
  readonly cursor: number; // a column; -1: none
  readonly axisWidth: number; // 0: bars alone, without figures
  readonly plotHeight: number;
}

export interface BarsColours {
  readonly panel: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly parts: readonly string[];
  readonly sans: string;
}

export function readBarsColours(): BarsColours {
  return {
    panel: token('panel'),
    line: token('line'),
    ink: token('ink'),
    soft: token('soft'),
    accent: token('accent'),
    accentSoft: token('accent-soft'),
    parts: PARTS.map((part) => token(part.token)),
    sans: token('sans'),
  };
}

export function barsHeight(picture: BarsPicture): number {
  const numbers = picture.ticks.length > 0 ? NUMBER_HEIGHT : 0;
  return TOP + picture.plotHeight + MARK_HEIGHT + numbers + (picture.hosts.length > 0 ? HOST_HEIGHT : 0);
}

// The column under a point; -1 where there is none.
export function columnAt(picture: BarsPicture, x: number, width: number): number {
  const { count } = picture.bars.columns;
  const column = Math.floor(((x - picture.axisWidth) / (width - picture.axisWidth)) * count);
  return column >= 0 && column < count ? column : -1;
}

// Waiting is lines across, so that it is told from work without colours and is not louder than it.
function hatches(ctx: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const paint = tile.getContext('2d');
  if (!paint) return null;
  paint.fillStyle = paint.strokeStyle = colour;
  paint.globalAlpha = 0.3;
  paint.fillRect(0, 0, 8, 8);
  paint.globalAlpha = 1;
  paint.lineWidth = 1.5;
  paint.beginPath();
  for (const shift of [-8, 0, 8]) {
    paint.moveTo(shift, 8);
    paint.lineTo(shift + 8, 0);
  }
  paint.stroke();
  return ctx.createPattern(tile, 'repeat');
}

export function drawBars(
  ctx: CanvasRenderingContext2D,
  picture: BarsPicture,
  colours: BarsColours,
  width: number,
  ratio: number,
): void {
  const { bars, axisWidth, plotHeight } = picture;
  const { count } = bars.columns;
  const plotWidth = width - axisWidth;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, width, barsHeight(picture));
  if (count === 0 || !(bars.highest > 0) || plotWidth <= 0) return;
  const base = TOP + plotHeight;
  const onPixel = (x: number) => Math.round(x * ratio) / ratio;
  const leftOf = (column: number) => onPixel(axisWidth + (column / count) * plotWidth);
  const gap = plotWidth / count >= 14 ? 3 : plotWidth / count >= 4 ? 1 : 0;
  drawAxis(ctx, picture, colours, width);
  const paints = colours.parts.map((colour, part) =>
    PARTS[part].token === 'mpi-wait' ? (hatches(ctx, colour) ?? colour) : colour,
  );
  for (let column = 0; column < count; ++column) {
    const left = leftOf(column);
    const wide = Math.max(1 / ratio, leftOf(column + 1) - left - gap);
    if (picture.isMarked[column] === 1) {
      ctx.fillStyle = colours.accentSoft;
      ctx.fillRect(left, 0, wide, base);
    }
    let up = 0;
    for (let part = 0; part < PARTS.length; ++part) {
      const value = bars.means[column * PARTS.length + part];
      const bottom = base - (up / bars.highest) * plotHeight;
      up += value;
      const top = base - (up / bars.highest) * plotHeight;
      ctx.fillStyle = paints[part];
      ctx.fillRect(left, top, wide, bottom - top);
    }
    if (bars.columns.starts[column + 1] - bars.columns.starts[column] > 1) {
      // From the mean up to the busiest, so that one among many stands out.
      const top = base - (bars.busiest[column] / bars.highest) * plotHeight;
      const mean = base - (bars.means[column * PARTS.length] / bars.highest) * plotHeight;
      ctx.fillStyle = colours.ink;
      ctx.fillRect(left, top - 0.5, wide, Math.max(1, mean - top));
    }
    if (bars.hasIdle[column] === 1) drawIdle(ctx, colours, left + wide / 2, base, Math.max(5, wide));
    if (picture.isMarked[column] === 1) {
      ctx.fillStyle = colours.accent;
      ctx.fillRect(left, base, Math.max(2, wide), 2);
    }
    if (column === picture.cursor) {
      ctx.strokeStyle = colours.ink;
      ctx.lineWidth = 2;
      ctx.strokeRect(left - 1, TOP - 1, Math.max(3, wide + 2), plotHeight + 2);
    }
  }
  drawNumbers(ctx, picture, colours, width);
}

// A triangle below the bar.
function drawIdle(
  ctx: CanvasRenderingContext2D,
  colours: BarsColours,
  middle: number,
  base: number,
  wide: number,
): void {
  const half = Math.min(5, wide / 2);
  ctx.fillStyle = colours.accent;
  ctx.beginPath();
  ctx.moveTo(middle - half, base + MARK_HEIGHT);
  ctx.lineTo(middle + half, base + MARK_HEIGHT);
  ctx.lineTo(middle, base + 1);
  ctx.fill();
}

function drawAxis(
  ctx: CanvasRenderingContext2D,
  picture: BarsPicture,
  colours: BarsColours,
  width: number,
): void {
  const { axisWidth, plotHeight } = picture;
  if (axisWidth === 0) return;
  const seconds = picture.bars.highest / SECOND;
  const { values, step } = makeTimeTicks({ left: 0, right: seconds }, 5);
  ctx.font = `12px ${colours.sans}`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  for (const value of values) {
    const y = TOP + plotHeight - (value / seconds) * plotHeight;
    ctx.fillStyle = colours.line;
    ctx.fillRect(axisWidth, Math.round(y), width - axisWidth, 1);
    ctx.fillStyle = colours.soft;
    ctx.fillText(formatTick(value, step), axisWidth - 8, y);
  }
}

function drawNumbers(
  ctx: CanvasRenderingContext2D,
  picture: BarsPicture,
  colours: BarsColours,
  width: number,
): void {
  const plotWidth = width - picture.axisWidth;
  const top = TOP + picture.plotHeight + MARK_HEIGHT;
  ctx.font = `12px ${colours.sans}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.fillStyle = colours.soft;
  for (const tick of picture.ticks) {
    ctx.fillText(tick.text, picture.axisWidth + tick.at * plotWidth + 1, top + NUMBER_HEIGHT / 2);
  }
  const below = top + (picture.ticks.length > 0 ? NUMBER_HEIGHT : 0);
  for (const run of picture.hosts) {
    const left = picture.axisWidth + (run.from / picture.places) * plotWidth;
    const right = picture.axisWidth + (run.to / picture.places) * plotWidth;
    ctx.fillStyle = colours.line;
    ctx.fillRect(left, below, Math.max(1, right - left - 2), 2);
    ctx.fillStyle = colours.soft;
    const name = fitText(run.name, right - left - 6, (text) => ctx.measureText(text).width);
    if (name.length > 2) ctx.fillText(name, left + 1, below + 2 + HOST_HEIGHT / 2);
  }
}
