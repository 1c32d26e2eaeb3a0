// The heatmap on a canvas: names at the left, a row of cells per function, its imbalance at the right.
import { formatColour, pixelOf } from '../../parts/colour';
import { makeRamp } from '../../parts/colour_ramp';
import { token } from '../../app/theme';
import { HEAT_STEPS, type Tick } from './heat_cells';

export const LABEL_WIDTH = 236;
export const FIGURE_WIDTH = 56;
export const ROW_HEIGHT = 18;
export const AXIS_HEIGHT = 24;

export interface HeatPicture {
  readonly rows: number;
  readonly columns: number;
  readonly steps: Uint8Array;
  readonly labels: readonly string[];
  readonly figures: readonly string[];
  readonly ticks: readonly Tick[];
  readonly axisTitle: string;
  readonly isMarked: Uint8Array; // columns in the scope; all 0: there is none
  readonly row: number; // the cursor; -1: nowhere
  readonly column: number;
}

export interface HeatColours {
  readonly panel: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly ramp: readonly string[]; // of HEAT_STEPS + 1
  readonly pixels: Uint32Array;
  readonly sans: string;
  readonly mono: string;
}

// Read in a computed signal: once per theme.
export function readColours(): HeatColours {
  const panel = token('panel');
  const stops = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4'].map(token);
  // A little more than nothing must not look like nothing.
  const ramp = [...makeRamp([panel], 1), ...makeRamp(stops, HEAT_STEPS + 2).slice(2)];
  return {
    panel,
    ink: token('ink'),
    soft: token('soft'),
    accent: token('accent'),
    accentSoft: token('accent-soft'),
    ramp: ramp.map(formatColour),
    pixels: Uint32Array.from(ramp, pixelOf),
    sans: token('sans'),
    mono: token('mono'),
  };
}

export function columnLeft(picture: HeatPicture, column: number, plotWidth: number): number {
  return LABEL_WIDTH + (column / picture.columns) * plotWidth;
}

// One pixel per cell; stretched when it is drawn.
function cellImage(picture: HeatPicture, colours: HeatColours): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = picture.columns;
  canvas.height = picture.rows;
  const image = new ImageData(picture.columns, picture.rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; ++i) pixels[i] = colours.pixels[picture.steps[i]];
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}

// Cut so that it fits, in the middle: both ends of a qualified name tell it apart.
export function fitText(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const keep = (low + high + 1) >> 1;
    const cut = `${text.slice(0, keep >> 1)}…${text.slice(text.length - ((keep + 1) >> 1))}`;
    if (measure(cut) <= width) low = keep;
    else high = keep - 1;
  }
  return `${text.slice(0, low >> 1)}…${low > 0 ? text.slice(text.length - ((low + 1) >> 1)) : ''}`;
}

export function drawRows(
  ctx: CanvasRenderingContext2D,
  picture: HeatPicture,
  colours: HeatColours,
  width: number,
): void {
  const plotWidth = width - LABEL_WIDTH - FIGURE_WIDTH;
  const height = picture.rows * ROW_HEIGHT;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, width, height);
  if (picture.rows === 0 || picture.columns === 0 || plotWidth <= 0) return;
  if (picture.row >= 0) {
    ctx.fillStyle = colours.accentSoft;
    ctx.fillRect(0, picture.row * ROW_HEIGHT, width, ROW_HEIGHT);
  }
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(cellImage(picture, colours), LABEL_WIDTH, 0, plotWidth, height);
  ctx.textBaseline = 'middle';
  for (let row = 0; row < picture.rows; ++row) {
    const top = row * ROW_HEIGHT;
    ctx.fillStyle = colours.panel;
    ctx.fillRect(LABEL_WIDTH, top + ROW_HEIGHT - 1, plotWidth, 1);
    ctx.fillStyle = row === picture.row ? colours.accent : colours.ink;
    ctx.font = `12px ${colours.mono}`;
    ctx.textAlign = 'right';
    const name = fitText(picture.labels[row], LABEL_WIDTH - 20, (text) => ctx.measureText(text).width);
    ctx.fillText(name, LABEL_WIDTH - 10, top + ROW_HEIGHT / 2);
    ctx.font = `12px ${colours.sans}`;
    ctx.fillText(picture.figures[row], width - 10, top + ROW_HEIGHT / 2);
  }
  if (picture.row >= 0 && picture.column >= 0) {
    const left = columnLeft(picture, picture.column, plotWidth);
    const cell = Math.max(3, plotWidth / picture.columns);
    ctx.strokeStyle = colours.ink;
    ctx.lineWidth = 2;
    ctx.strokeRect(left, picture.row * ROW_HEIGHT, cell, ROW_HEIGHT - 1);
  }
}

export function drawAxis(
  ctx: CanvasRenderingContext2D,
  picture: HeatPicture,
  colours: HeatColours,
  width: number,
): void {
  const plotWidth = width - LABEL_WIDTH - FIGURE_WIDTH;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, width, AXIS_HEIGHT);
  ctx.font = `12px ${colours.sans}`;
  ctx.textBaseline = 'middle';
  ctx.fillStyle = colours.soft;
  ctx.textAlign = 'right';
  ctx.fillText(picture.axisTitle, LABEL_WIDTH - 10, AXIS_HEIGHT / 2);
  ctx.fillText('max/mean', width - 4, AXIS_HEIGHT / 2);
  ctx.textAlign = 'left';
  for (const tick of picture.ticks) {
    const left = LABEL_WIDTH + tick.at * plotWidth;
    ctx.fillText(tick.text, left + 3, AXIS_HEIGHT / 2);
    ctx.fillRect(left, AXIS_HEIGHT - 7, 1, 7);
  }
  ctx.fillStyle = colours.accent;
  const cell = Math.max(3, plotWidth / picture.columns);
  picture.isMarked.forEach((isMarked, column) => {
    if (isMarked) ctx.fillRect(columnLeft(picture, column, plotWidth), AXIS_HEIGHT - 4, cell, 4);
  });
}

// Row and column under a point; -1 where there is none.
export function cellAt(
  picture: HeatPicture,
  x: number,
  y: number,
  width: number,
): { row: number; column: number } {
  const plotWidth = width - LABEL_WIDTH - FIGURE_WIDTH;
  const row = Math.floor(y / ROW_HEIGHT);
  const column = Math.floor(((x - LABEL_WIDTH) / plotWidth) * picture.columns);
  return {
    row: row >= 0 && row < picture.rows ? row : -1,
    column: column >= 0 && column < picture.columns ? column : -1,
  };
}
