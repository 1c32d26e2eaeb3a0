// The heatmap as an SVG of any number of ranks: neighbours of one colour are one box.
import { escapeXml } from '../../parts/download';
import {
  AXIS_HEIGHT,
  columnLeft,
  FIGURE_WIDTH,
  LABEL_WIDTH,
  ROW_HEIGHT,
  type HeatColours,
  type HeatPicture,
} from './heat_draw';

export function heatSvg(picture: HeatPicture, colours: HeatColours, width: number): string {
  const plotWidth = width - LABEL_WIDTH - FIGURE_WIDTH;
  const height = AXIS_HEIGHT + picture.rows * ROW_HEIGHT;
  const text = (x: number, y: number, anchor: string, words: string) =>
    `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escapeXml(words)}</text>\n`;
  let out =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="sans-serif" font-size="12" fill="${colours.ink}">\n` +
    `<rect width="${width}" height="${height}" fill="${colours.panel}"/>\n` +
    text(LABEL_WIDTH - 10, 16, 'end', picture.axisTitle) +
    text(width - 4, 16, 'end', 'max/mean');
  for (const tick of picture.ticks) {
    out += text(LABEL_WIDTH + tick.at * plotWidth + 3, 16, 'start', tick.text);
  }
  for (let row = 0; row < picture.rows; ++row) {
    const top = AXIS_HEIGHT + row * ROW_HEIGHT;
    out += text(LABEL_WIDTH - 10, top + 13, 'end', picture.labels[row]);
    out += text(width - 10, top + 13, 'end', picture.figures[row]);
    for (let column = 0; column < picture.columns;) {
      const step = picture.steps[row * picture.columns + column];
      let end = column + 1;
      while (end < picture.columns && picture.steps[row * picture.columns + end] === step) ++end;
      if (step > 0) {
        const left = columnLeft(picture, column, plotWidth);
        const right = columnLeft(picture, end, plotWidth);
        out +=
          `<rect x="${left.toFixed(2)}" y="${top}" width="${(right - left).toFixed(2)}" ` +
          `height="${ROW_HEIGHT - 1}" fill="${colours.ramp[step]}"/>\n`;
      }
      column = end;
    }
  }
  return `${out}</svg>\n`;
}
