// A piece of an axis that a picture shows, and how it is moved about.
export interface Range {
  readonly left: number;
  readonly right: number;
}

// Nothing is magnified more than this: beyond it, numbers no longer tell neighbours apart.
const MOST_ZOOM = 1e9;

export function widthOf(range: Range): number {
  return range.right - range.left;
}

// As wide as it is, but within the bounds.
export function clampRange(range: Range, bounds: Range): Range {
  const whole = widthOf(bounds);
  const width = Math.min(whole, Math.max(widthOf(range), whole / MOST_ZOOM));
  const left = Math.min(Math.max(range.left, bounds.left), bounds.right - width);
  return { left, right: left + width };
}

// What is at `at` (a value on the axis) stays where it is; a factor below 1 shows less.
export function zoomRange(range: Range, bounds: Range, at: number, factor: number): Range {
  const width = Math.max(widthOf(range) * factor, widthOf(bounds) / MOST_ZOOM);
  const share = widthOf(range) > 0 ? (at - range.left) / widthOf(range) : 0.5;
  const left = at - share * width;
  return clampRange({ left, right: left + width }, bounds);
}

export function panRange(range: Range, bounds: Range, by: number): Range {
  return clampRange({ left: range.left + by, right: range.right + by }, bounds);
}

export function isSameRange(a: Range, b: Range): boolean {
  return a.left === b.left && a.right === b.right;
}
