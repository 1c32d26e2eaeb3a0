// Where values stand along the axes of a chart, and which of them get a number.

export interface ChartAxis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  // 0 at `from`, 1 at `to`.
  readonly place: (value: number) => number;
}

function placeBetween(from: number, to: number): (value: number) => number {
  const width = to - from;
  return width > 0 ? (value) => (value - from) / width : () => 0.5;
}

// From 0 or the least up to a round value; `base` 1024 for bytes.
export function linearAxis(from: number, to: number, most: number, base: 1000 | 1024 = 1000): ChartAxis {
  const width = to > from ? to - from : Math.abs(to) || 1;
  const step = roundStep(width / Math.max(1, most), base);
  const first = Math.ceil(from / step - 1e-9) + 0; // never -0
  const last = Math.ceil((from + width) / step - 1e-9);
  const ticks: number[] = [];
  for (let i = first; i <= last; ++i) ticks.push(i * step);
  return { from, to: last * step, ticks, place: placeBetween(from, last * step) };
}

// Along time nothing is added at the end.
export function timeAxis(from: number, to: number, most: number): ChartAxis {
  const { ticks } = linearAxis(from, to, most);
  return { from, to, ticks: ticks.filter((tick) => tick <= to), place: placeBetween(from, to) };
}

// Counts of processes: each doubling is a step.
export function doublingAxis(counts: readonly number[]): ChartAxis {
  const from = Math.min(...counts);
  const to = Math.max(...counts);
  const place = placeBetween(Math.log2(from), Math.log2(to));
  return { from, to, ticks: counts, place: (value) => place(Math.log2(value)) };
}

// Powers of two around the values, which are above 0: what doubles with the counts is a straight line.
export function powersAxis(least: number, most: number): ChartAxis {
  const low = Math.floor(Math.log2(least) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log2(most) - 1e-9));
  const ticks: number[] = [];
  for (let power = low; power <= high; ++power) ticks.push(2 ** power);
  return doublingAxis(ticks);
}

// 1, 2 or 5 times a power of ten; of bytes 1, 2, 4, 8 … times a power of 1024.
function roundStep(smallest: number, base: 1000 | 1024): number {
  if (!(smallest > 0) || !Number.isFinite(smallest)) return 1;
  if (base === 1024) return Math.max(1, 2 ** Math.ceil(Math.log2(smallest)));
  const power = 10 ** Math.floor(Math.log10(smallest));
  return power * ([1, 2, 5].find((factor) => factor * power >= smallest * (1 - 1e-9)) ?? 10);
}

export interface Curve {
  readonly name: string;
  readonly colour: string; // a token
  readonly isDashed?: boolean;
  readonly hasDots?: boolean; // few points, each of them measured
  readonly x: Float64Array; // ascending
  readonly y: Float64Array; // NaN: nothing there
}

// The path of an SVG; a new piece begins after each gap.
export function curvePath(curve: Curve, across: (x: number) => number, down: (y: number) => number): string {
  let path = '';
  let isOn = false;
  for (let i = 0; i < curve.x.length; ++i) {
    if (Number.isNaN(curve.y[i])) {
      isOn = false;
      continue;
    }
    path += `${isOn ? 'L' : 'M'}${across(curve.x[i]).toFixed(1)},${down(curve.y[i]).toFixed(1)}`;
    isOn = true;
  }
  return path;
}

// What a curve had at x: its last point up to there. NaN before its first point and after its last.
export function valueAt(curve: Curve, x: number): number {
  const { x: xs, y: ys } = curve;
  if (xs.length === 0 || x > xs[xs.length - 1]) return Number.NaN;
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? ys[low - 1] : Number.NaN;
}

// Moves labels apart, downwards first and then back up from the bottom, so that none covers another.
export function spreadLabels(wanted: readonly number[], height: number, bottom: number): number[] {
  const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b]);
  const placed = wanted.slice();
  let free = -Infinity;
  for (const i of order) {
    placed[i] = Math.max(placed[i], free);
    free = placed[i] + height;
  }
  let limit = bottom;
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i], limit);
    limit = placed[i] - height;
  }
  return placed;
}
