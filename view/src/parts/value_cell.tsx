// A value with its share of the whole and a bar: never the bar alone.
import { formatShare, formatValue } from '../model/format';
import type { Unit } from '../data/types';
import { Bar, type Piece } from './bar';

export function ValueCell(props: { value: number; whole: number; unit: Unit; pieces: readonly Piece[] }) {
  const share = props.whole > 0 ? props.value / props.whole : 0;
  return (
    <span class="value-cell">
      <Bar pieces={props.pieces} />
      <span>{formatValue(props.value, props.unit)}</span>
      <small>{formatShare(share)}</small>
    </span>
  );
}
