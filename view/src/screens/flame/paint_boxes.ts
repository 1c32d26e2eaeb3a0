// Draws icicles and flames. A row of pixels is written once per level and copied down: the time a
// picture takes depends on its size, not on the number of boxes.
import { makeTicks, formatTick } from '../../parts/ticks';
import { isMatch } from './box_colours';
import { visitBoxes } from './levels';
import { AXIS_HEIGHT, axisHeight, levelsInSight, ROW_HEIGHT, topOfLevel } from './scene';
import type { Placing, Scene } from './scene';

const FONT_SIZE = 11.5;
const TEXT_MARGIN = 4;
const NARROWEST_LABEL = 28;
const ROOM_FOR_PLACE = 90; // beside the name

export function boxFont(scene: Scene, isBold: boolean): string {
  return `${isBold ? '700 ' : ''}${FONT_SIZE}px ${scene.palette.font}`;
}

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface Label {
  readonly row: number;
  readonly colour: number;
  readonly x: number;
  readonly y: number;
  readonly room: number;
}

export class BoxPainter {
  private image: ImageData | null = null;

  paint(context: CanvasRenderingContext2D, scene: Scene, placing: Placing, hovered: number): void {
    const { labels, marks } = this.paintFills(context, scene, placing);
    context.setTransform(placing.scale, 0, 0, placing.scale, 0, 0);
    paintLabels(context, scene, labels);
    context.strokeStyle = scene.palette.line;
    context.lineWidth = 1;
    for (const { x, y, width } of marks) context.strokeRect(x + 0.5, y + 0.5, width - 2, ROW_HEIGHT - 2);
    if (hovered >= 0) outline(context, scene, placing, hovered, 1);
    if (scene.selected >= 0) outline(context, scene, placing, scene.selected, 2);
    if (axisHeight(scene) > 0) paintAxis(context, scene, placing);
  }

  private paintFills(context: CanvasRenderingContext2D, scene: Scene, placing: Placing) {
    const { palette, frames, shown, colourOf } = scene;
    const { scale, view } = placing;
    const width = Math.round(placing.width * scale);
    const height = Math.round(placing.height * scale);
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
    }
    const pixels = new Uint32Array(this.image.data.buffer);
    pixels.fill(palette.backgroundPixel);
    const labels: Label[] = [];
    const marks: Mark[] = [];
    const marked = scene.marked ?? -1;
    const narrowest = NARROWEST_LABEL * scale;
    const [first, end] = levelsInSight(scene, placing);
    for (let level = first; level < end; ++level) {
      const top = topOfLevel(scene, placing, level);
      const from = Math.max(0, Math.round(top * scale));
      const to = Math.min(height, Math.round((top + ROW_HEIGHT - 1) * scale));
      if (to <= from) continue;
      const start = from * width;
      visitBoxes(frames, shown.from[level], shown.to[level], view, width, (row, x0, x1) => {
        const left = Math.max(0, Math.round(x0));
        const right = Math.min(width, Math.round(x1));
        const gap = right - left > 3 ? 1 : 0;
        const colour = colourOf(row);
        pixels.fill(palette.pixels[colour], start + left, start + Math.max(left + 1, right - gap));
        if (frames.function[row] === marked && right - left > 3 * scale) {
          marks.push({ x: left / scale, y: top, width: (right - left) / scale });
        }
        if (right - left >= narrowest) {
          labels.push({ row, colour, x: left / scale, y: top, room: (right - left) / scale });
        }
      });
      for (let line = from + 1; line < to; ++line) pixels.copyWithin(line * width, start, start + width);
    }
    context.putImageData(this.image, 0, 0);
    return { labels, marks };
  }
}

function paintLabels(context: CanvasRenderingContext2D, scene: Scene, labels: readonly Label[]): void {
  const { frames, palette } = scene;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  let colour = -1;
  for (const label of labels) {
    if (label.colour !== colour) {
      colour = label.colour;
      context.fillStyle = palette.inks[colour];
      // A match is told by its weight too, not by its colour alone.
      context.font = boxFont(scene, isMatch(colour));
    }
    const fn = frames.function[label.row];
    const room = label.room - 2 * TEXT_MARGIN;
    const text = scene.labels.fitting(fn, isMatch(colour) ? room * 0.92 : room);
    if (text === '') continue;
    const y = label.y + ROW_HEIGHT / 2;
    context.fillText(text, label.x + TEXT_MARGIN, y);
    const nameWidth = scene.labels.width(fn);
    if (room - nameWidth < ROOM_FOR_PLACE) continue;
    const place = scene.labels.place(fn);
    if (place === '' || place.length * FONT_SIZE * 0.62 > room - nameWidth - 10) continue;
    context.globalAlpha = 0.72;
    context.fillText(place, label.x + TEXT_MARGIN + nameWidth * 1.04 + 10, y);
    context.globalAlpha = 1;
  }
}

function outline(
  context: CanvasRenderingContext2D,
  scene: Scene,
  placing: Placing,
  row: number,
  thickness: number,
): void {
  const { frames, shown, palette } = scene;
  const [first, end] = levelsInSight(scene, placing);
  for (let level = first; level < end; ++level) {
    if (row < shown.from[level] || row >= shown.to[level]) continue;
    const scale = placing.width / (placing.view.right - placing.view.left);
    const x0 = Math.max(-4, (frames.left[row] - placing.view.left) * scale);
    const x1 = Math.min(placing.width + 4, (frames.right[row] - placing.view.left) * scale);
    if (x1 < 0 || x0 > placing.width) return;
    context.strokeStyle = palette.line;
    context.lineWidth = thickness;
    const inset = thickness / 2;
    const top = topOfLevel(scene, placing, level);
    context.strokeRect(
      x0 + inset,
      top + inset,
      Math.max(2, x1 - x0 - thickness - 1),
      ROW_HEIGHT - 1 - thickness,
    );
  }
}

function paintAxis(context: CanvasRenderingContext2D, scene: Scene, placing: Placing): void {
  const { palette } = scene;
  const start = scene.axisStart ?? 0;
  const range = { left: placing.view.left + start, right: placing.view.right + start };
  const ticks = makeTicks(range, Math.max(2, Math.floor(placing.width / 110)));
  const scale = placing.width / (range.right - range.left);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, placing.width, AXIS_HEIGHT);
  context.fillStyle = palette.line;
  context.font = boxFont(scene, false);
  context.textAlign = 'left';
  for (const value of ticks.values) {
    const x = Math.round((value - range.left) * scale);
    context.fillRect(x, AXIS_HEIGHT - 6, 1, 5);
    context.fillText(formatTick(value, ticks.step), x + 4, AXIS_HEIGHT / 2);
  }
}
