// Everything that one drawing of a flame picture depends on.
import type { FrameTree } from '../../model/types';
import type { Range } from '../../parts/range';
import type { ColourOf, Palette } from './box_colours';
import type { Labels } from './labels';
import type { Subtree } from './levels';

export type Shape = 'icicle' | 'flame' | 'sunburst';

export interface Scene {
  readonly frames: FrameTree;
  readonly shown: Subtree;
  readonly depth: number; // levels of it that are wanted
  readonly shape: Shape;
  readonly palette: Palette;
  readonly colourOf: ColourOf;
  readonly labels: Labels;
  readonly selected: number;
  readonly marked?: number; // a function whose boxes have a line around them; -1: none
  readonly axisStart: number | null; // seconds at x = 0, in time order
}

// Where on the screen it is drawn.
export interface Placing {
  readonly width: number; // CSS pixels
  readonly height: number;
  readonly scale: number; // screen pixels in one
  readonly scrollTop: number;
  readonly view: Range;
}

export const ROW_HEIGHT = 20;
export const AXIS_HEIGHT = 22;

export function axisHeight(scene: Pick<Scene, 'axisStart' | 'shape'>): number {
  return scene.axisStart !== null && scene.shape !== 'sunburst' ? AXIS_HEIGHT : 0;
}

export function shownLevels(scene: Pick<Scene, 'shown' | 'depth'>): number {
  return Math.min(scene.shown.depth, scene.depth);
}

// As high as all levels are; the axis stays in place above them.
export function contentHeight(scene: Scene): number {
  return shownLevels(scene) * ROW_HEIGHT;
}

// The upper edge of a level (of the subtree) in the canvas.
export function topOfLevel(scene: Scene, placing: Placing, level: number): number {
  const axis = axisHeight(scene);
  if (scene.shape !== 'flame') return axis + level * ROW_HEIGHT - placing.scrollTop;
  // Flames stand on the ground, even where there is more room than flame.
  const height = Math.max(contentHeight(scene), placing.height - axis);
  return axis + height - (level + 1) * ROW_HEIGHT - placing.scrollTop;
}

// The level at a height of the canvas; may be beyond what is shown.
export function levelAtHeight(scene: Scene, placing: Placing, y: number): number {
  const top = topOfLevel(scene, placing, 0);
  return scene.shape === 'flame'
    ? Math.floor((top + ROW_HEIGHT - y) / ROW_HEIGHT)
    : Math.floor((y - top) / ROW_HEIGHT);
}

// The levels in sight, first and beyond the last.
export function levelsInSight(scene: Scene, placing: Placing): readonly [number, number] {
  const ends = [
    levelAtHeight(scene, placing, axisHeight(scene)),
    levelAtHeight(scene, placing, placing.height),
  ];
  const first = Math.max(0, Math.min(...ends));
  return [first, Math.max(first, Math.min(shownLevels(scene), Math.max(...ends) + 1))];
}
