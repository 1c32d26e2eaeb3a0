// Both profiles as one tree of boxes, each with its change.
import type { Tables, Unit } from '../../data/types';
import type { DiffFrames } from '../../model/diff_tree';
import { formatValue, nameOf, placeOf, shorten } from '../../model/format';
import type { FrameTree } from '../../model/types';
import { Labels } from '../flame/labels';
import { signed } from './diff_words';

export interface DiffPicture {
  // Each box's `function` is the box itself: what is written on it is its own change.
  readonly frames: FrameTree;
  readonly diff: DiffFrames;
  readonly before: Tables;
  readonly after: Tables;
  readonly scale: number; // of values after
  readonly unit: Unit;
}

export function makeDiffPicture(
  diff: DiffFrames,
  before: Tables,
  after: Tables,
  scale: number,
  unit: Unit,
): DiffPicture {
  return {
    frames: { ...diff, function: Uint32Array.from(diff.function.keys()) },
    diff,
    before,
    after,
    scale,
    unit,
  };
}

export function changeOf(picture: DiffPicture, row: number): { before: number; after: number } {
  return { before: picture.diff.beforeTotal[row], after: picture.diff.afterTotal[row] * picture.scale };
}

function tablesOf(picture: DiffPicture, row: number): Tables {
  return picture.diff.isInAfter[row] ? picture.after : picture.before;
}

export function frameName(picture: DiffPicture, row: number): string {
  return nameOf(tablesOf(picture, row), picture.diff.function[row]);
}

export function framePlace(picture: DiffPicture, row: number): string {
  return placeOf(tablesOf(picture, row), picture.diff.function[row]);
}

export class DiffLabels extends Labels {
  constructor(
    private readonly picture: DiffPicture,
    measure: (text: string) => number,
  ) {
    super(picture.after, measure);
  }

  override name(row: number): string {
    const { before, after } = changeOf(this.picture, row);
    return `${signed(after - before, this.picture.unit)} ${frameName(this.picture, row)}`;
  }

  override place(row: number): string {
    return framePlace(this.picture, row);
  }
}

export function describeChange(picture: DiffPicture, row: number): string[] {
  const { before, after } = changeOf(picture, row);
  const { unit } = picture;
  const relative =
    before === 0
      ? 'new'
      : after === 0
        ? 'gone'
        : `${after >= before ? '+' : '−'}${Math.abs((100 * (after - before)) / before).toFixed(0)} %`;
  return [
    shorten(frameName(picture, row), 120),
    framePlace(picture, row),
    `${formatValue(before, unit)} before, ${formatValue(after, unit)} after`,
    `${signed(after - before, unit)} (${relative})`,
  ].filter((line) => line !== '');
}
