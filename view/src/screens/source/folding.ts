// Which lines of a file are shown: all, or those that were measured with a little around them.

export interface ShownLine {
  readonly line: number;
  readonly folded: number; // lines that are hidden from here on; 0: this is a line
}

const CONTEXT = 2;
const SHORTEST_FOLD = 4; // hiding less than this saves nothing

export function foldLines(recorded: Uint8Array, lines: number, opened: ReadonlySet<number>): ShownLine[] {
  const isNear = new Uint8Array(lines + 1);
  for (let line = 1; line <= lines; ++line) {
    if (recorded[line] !== 1) continue;
    isNear.fill(1, Math.max(1, line - CONTEXT), Math.min(lines, line + CONTEXT) + 1);
  }
  const shown: ShownLine[] = [];
  for (let line = 1; line <= lines;) {
    if (isNear[line] === 1) {
      shown.push({ line: line++, folded: 0 });
      continue;
    }
    let end = line;
    while (end <= lines && isNear[end] === 0) ++end;
    if (end - line >= SHORTEST_FOLD && !opened.has(line)) shown.push({ line, folded: end - line });
    else for (let each = line; each < end; ++each) shown.push({ line: each, folded: 0 });
    line = end;
  }
  return shown;
}

// Without the text, the lines in between say nothing.
export function measuredLines(recorded: Uint8Array): ShownLine[] {
  return Array.from(recorded.keys())
    .filter((line) => recorded[line] === 1)
    .map((line) => ({ line, folded: 0 }));
}

export function allLines(lines: number): ShownLine[] {
  return Array.from({ length: lines }, (_, i) => ({ line: i + 1, folded: 0 }));
}

// Where a line is among those shown; in a fold, the fold.
export function indexOfLine(shown: readonly ShownLine[], line: number): number {
  let low = 0;
  let high = shown.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (shown[middle].line <= line) low = middle;
    else high = middle - 1;
  }
  return shown.length === 0 ? -1 : low;
}

// Lines worth stopping at, from top to bottom: a hundredth of the file's hottest at least.
export function hotLines(heat: Float64Array): number[] {
  let most = 0;
  for (const value of heat) most = Math.max(most, value);
  const hot: number[] = [];
  for (let line = 1; line < heat.length; ++line) {
    if (heat[line] > 0 && heat[line] >= most / 100) hot.push(line);
  }
  return hot;
}

// The next one from `line` in a direction; the first or last where there is none, 0 where there are none.
export function nextHotLine(hot: readonly number[], line: number, direction: 1 | -1): number {
  if (hot.length === 0) return 0;
  if (direction === 1) return hot.find((each) => each > line) ?? hot[hot.length - 1];
  return hot.findLast((each) => each < line) ?? hot[0];
}

export function hottestLine(heat: Float64Array): number {
  let best = 0;
  for (let line = 1; line < heat.length; ++line) if (heat[line] > (heat[best] || 0)) best = line;
  return best;
}
