// A value with its share of the whole and a bar: never the bar alone.
import { formatShare, formatValue } from '../model/format';
import type { Unit } from '../data/types';
import { cappedShare } from './share';
import { Bar, type Piece } from './bar';

export function ValueCell(props: { value: number; whole: number; unit: Unit; pieces: readonly Piece[] }) {
  const share = cappedShare(props.value, props.whole);
  return (
    <span class="value-cell">
      <Bar pieces={props.pieces} />
      <span>{formatValue(props.value, props.unit)}</span>
      <small>{formatShare(share)}</small>
    </span>
  );
}
