// A frame named by the functions on the way to it, so that the address still means something after
// another metric, scope or transform was chosen: "3.1a*400.7-2" is function 3, then 400 times
// function 46, then the third child of that name in it (in time order there are several).
import type { FrameTree } from '../../model/types';
import { childrenOf } from './levels';

const MOST_STEPS = 100_000;

// A longer path makes an address that nobody can paste; then it is the row, "_123", which holds as
// long as nothing else is chosen.
const LONGEST = 1500;

// The frame and its callers, outermost first.
export function pathTo(frames: FrameTree, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at >= 0; at = frames.parent[at]) path.push(at);
  return path.reverse();
}

// The rows among which a frame stands: its parent's children, or all roots.
function siblingsOf(frames: FrameTree, parent: number): readonly [number, number] {
  return parent < 0 ? [0, frames.levels.length > 1 ? frames.levels[1] : 0] : childrenOf(frames, parent);
}

export function formatPath(frames: FrameTree, row: number): string {
  const steps: { text: string; times: number }[] = [];
  for (const at of pathTo(frames, row)) {
    const [first] = siblingsOf(frames, frames.parent[at]);
    let before = 0;
    for (let other = first; other < at; ++other) {
      if (frames.function[other] === frames.function[at]) ++before;
    }
    const text = frames.function[at].toString(36) + (before > 0 ? `-${before}` : '');
    const last = steps[steps.length - 1];
    if (last?.text === text) ++last.times;
    else steps.push({ text, times: 1 });
  }
  const text = steps.map((step) => (step.times > 1 ? `${step.text}*${step.times}` : step.text)).join('.');
  return text.length > LONGEST ? `_${row}` : text;
}

// The frame, or the nearest caller of it that is there; -1: not even a root.
export function findPath(frames: FrameTree, text: string): number {
  if (/^_\d{1,9}$/.test(text)) return Math.min(Number(text.slice(1)), frames.count - 1);
  let found = -1;
  let steps = 0;
  for (const piece of text.split('.')) {
    const match = /^([0-9a-z]{1,7})(?:-(\d{1,9}))?(?:\*(\d{1,6}))?$/.exec(piece);
    if (!match) return found;
    const wanted = Number.parseInt(match[1], 36);
    for (let times = Number(match[3] ?? 1); times > 0; --times) {
      if (++steps > MOST_STEPS) return found;
      const next = nthChild(frames, found, wanted, Number(match[2] ?? 0));
      if (next < 0) return found;
      found = next;
    }
  }
  return found;
}

function nthChild(frames: FrameTree, parent: number, wanted: number, skip: number): number {
  const [first, end] = siblingsOf(frames, parent);
  for (let row = first; row < end; ++row) {
    if (frames.function[row] === wanted && skip-- === 0) return row;
  }
  return -1;
}
