// The drawing as an SVG file.
import { escapeXml } from '../../parts/download';
import { TEXT, type Drawing, type Palette } from './drawing';

const number = (value: number) => String(Math.round(value * 10) / 10);

function textLines(x: number, top: number, lines: readonly string[], fill: string, isName: boolean): string {
  return lines
    .map((line, i) => {
      const weight = isName && i === 0 ? ' font-weight="bold"' : '';
      const y = number(top + (i + 1) * TEXT.line - 4);
      return `<text x="${number(x)}" y="${y}" fill="${fill}"${weight}>${escapeXml(line)}</text>`;
    })
    .join('');
}

export function writeGraphSvg(drawing: Drawing, palette: Palette): string {
  const width = number(drawing.width);
  const height = number(drawing.height);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      'font-family="DejaVu Sans Mono, monospace" font-size="12" text-anchor="middle">',
    `<rect width="100%" height="100%" fill="${palette.paper}"/>`,
  ];
  for (const arrow of drawing.arrows) {
    const dash = arrow.isInCycle ? ' stroke-dasharray="6 3"' : '';
    out.push(
      `<path d="${arrow.path}" fill="none" stroke="${arrow.colour}" stroke-width="${number(arrow.width)}"${dash}/>`,
      `<path d="${arrow.head}" fill="${arrow.colour}"/>`,
      textLines(
        arrow.label.x,
        arrow.label.y - (arrow.lines.length * TEXT.line) / 2,
        arrow.lines,
        palette.ink,
        false,
      ),
    );
  }
  for (const box of drawing.boxes) {
    out.push(
      `<g><title>${escapeXml(box.label.title)}</title>` +
        `<rect x="${number(box.x)}" y="${number(box.y)}" width="${box.width}" height="${box.height}" rx="5" ` +
        `fill="${box.fill}" stroke="${palette.line}"/>` +
        textLines(box.x + box.width / 2, box.y + TEXT.padding - 2, box.lines, box.ink, true) +
        '</g>',
    );
  }
  out.push('</svg>');
  return out.join('\n') + '\n';
}
