// From one box to the next with the keyboard.
import type { FrameTree } from '../../model/types';
import { childrenOf, levelOf, type Subtree } from './levels';

export type Move = 'caller' | 'callee' | 'before' | 'after' | 'first' | 'last';

// Where a move leads; the box itself where there is nothing to go to. Without a box, the first one.
export function moveFrom(
  frames: FrameTree,
  shown: Subtree,
  lastLevel: number,
  row: number,
  move: Move,
): number {
  if (shown.depth === 0) return -1;
  const level = row < 0 ? -1 : levelOf(frames, row) - shown.firstLevel;
  const isInside = level >= 0 && level < shown.depth && row >= shown.from[level] && row < shown.to[level];
  if (!isInside) return shown.from[0];
  const first = shown.from[level];
  const last = shown.to[level] - 1;
  switch (move) {
    case 'caller':
      return level > 0 ? frames.parent[row] : row;
    case 'callee': {
      const [from, to] = childrenOf(frames, row);
      return from < to && shown.firstLevel + level < lastLevel ? from : row;
    }
    case 'before':
      return Math.max(first, row - 1);
    case 'after':
      return Math.min(last, row + 1);
    case 'first':
      return first;
    case 'last':
      return last;
  }
}
