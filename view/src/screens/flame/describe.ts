// A frame in words.
import type { Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf, shorten, visible } from '../../model/format';
import type { Picture } from './state';

const LONGEST = 120;

export interface Described {
  readonly name: string;
  readonly lines: readonly string[]; // below the name
}

function placeText(tables: Tables, fn: number): string {
  const place = placeOf(tables, fn);
  const module = visible(tables.texts.get(tables.functions.module[fn]));
  return [place, module].filter(Boolean).join(' · ') || 'no place known';
}

export function describeFrame(picture: Picture, tables: Tables, row: number, isInverted: boolean): Described {
  const { frames, whole, unit } = picture;
  const fn = frames.function[row];
  const withShare = (value: number) => `${formatValue(value, unit)} (${formatShare(shareOf(value, whole))})`;
  const lines = [placeText(tables, fn)];
  const parent = frames.parent[row];
  if (isInverted) {
    lines.push(
      parent < 0
        ? `own ${withShare(frames.total[row])}`
        : `${withShare(frames.total[row])} of ${leafName(picture, tables, row)} came this way`,
    );
  } else {
    lines.push(`total ${withShare(frames.total[row])}`, `own ${withShare(frames.self[row])}`);
  }
  if (parent >= 0) {
    const share = formatShare(shareOf(frames.total[row], frames.total[parent]));
    lines.push(`${share} of ${shorten(nameOf(tables, frames.function[parent]), 60)}`);
  }
  return { name: shorten(nameOf(tables, fn), LONGEST), lines };
}

// The function at the root of an inverted picture, whose own cost it is all about.
function leafName(picture: Picture, tables: Tables, row: number): string {
  const { frames } = picture;
  let at = row;
  while (frames.parent[at] >= 0) at = frames.parent[at];
  return shorten(nameOf(tables, frames.function[at]), 60);
}
