// The same boxes as rings: the frame in the middle, what it calls around it, angles instead of widths.
import type { FrameTree } from '../../model/types';
import { boxAt, firstEndingAfter, type Subtree } from './levels';

export const FULL_CIRCLE = 2 * Math.PI;
const THINNEST_RING = 9;
const THICKEST_RING = 64;
const MARGIN = 6;

export interface Rings {
  readonly x: number; // of the middle
  readonly y: number;
  readonly thickness: number;
  readonly levels: number; // of the subtree that are drawn
  readonly first: number; // the ring of the subtree's first level; ring 0 is the disc in the middle
}

export function layoutRings(shown: Subtree, depth: number, width: number, height: number): Rings {
  const radius = Math.max(1, Math.min(width, height) / 2 - MARGIN);
  const first = shown.root < 0 ? 1 : 0;
  const room = Math.max(1, Math.floor(radius / THINNEST_RING) - first);
  const levels = Math.min(shown.depth, depth, room);
  const thickness = Math.min(THICKEST_RING, radius / Math.max(1, levels + first));
  return { x: width / 2, y: height / 2, thickness, levels, first };
}

export interface Arc {
  readonly row: number;
  readonly inner: number; // radii
  readonly outer: number;
  readonly start: number; // radians, clockwise from the top
  readonly end: number;
}

// What is wide enough to be seen; of those that share a pixel of the ring's outer edge, the first.
export function visitArcs(frames: FrameTree, shown: Subtree, rings: Rings, visit: (arc: Arc) => void): void {
  const { left, right } = shown.bounds;
  const turn = FULL_CIRCLE / (right - left);
  for (let level = 0; level < rings.levels; ++level) {
    const inner = (level + rings.first) * rings.thickness;
    const outer = inner + rings.thickness;
    const smallest = 1 / outer;
    for (let row = shown.from[level]; row < shown.to[level];) {
      const start = (frames.left[row] - left) * turn;
      const end = (frames.right[row] - left) * turn;
      visit({ row, inner, outer, start, end: Math.max(end, start + smallest / 2) });
      row =
        end - start >= smallest
          ? row + 1
          : firstEndingAfter(frames.right, row + 1, shown.to[level], left + (start + smallest) / turn);
    }
  }
}

// The frame at a point; -1: none.
export function arcAt(frames: FrameTree, shown: Subtree, rings: Rings, x: number, y: number): number {
  const across = x - rings.x;
  const down = y - rings.y;
  const level = Math.floor(Math.hypot(across, down) / rings.thickness) - rings.first;
  if (level < 0 || level >= rings.levels) return -1;
  const angle = (Math.atan2(across, -down) + FULL_CIRCLE) % FULL_CIRCLE;
  const { left, right } = shown.bounds;
  const at = left + (angle / FULL_CIRCLE) * (right - left);
  return boxAt(frames, shown.from[level], shown.to[level], at);
}
