// Changes in words and numbers: the sign always stands there, colours only repeat it.
import type { Unit } from '../../data/types';
import { formatShare, formatValue } from '../../model/format';
import type { Change, Difference } from './diff_data';

export function signed(value: number, unit: Unit): string {
  if (value === 0) return '±0';
  return `${value > 0 ? '+' : '−'}${formatValue(Math.abs(value), unit)}`;
}

// "+15 %", "new", "gone"
export function relativeWords(change: Change): string {
  if (change.before === null) return 'new';
  if (change.after === null) return 'gone';
  if (change.relative === null) return '';
  if (change.relative === 0) return '±0 %';
  return `${change.relative > 0 ? '+' : '−'}${formatShare(Math.abs(change.relative))}`;
}

export function chanceWords(change: Change, unit: Unit): string {
  if (change.margin === 0) return 'exact';
  return change.isSure ? `±${formatValue(change.margin, unit)}` : 'may be chance';
}

function comparison(unit: Unit, isMore: boolean): string {
  if (unit === 'ns') return isMore ? 'slower' : 'faster';
  return isMore ? 'more' : 'less';
}

// Of lines only those are added up that the profiles know.
export function diffTitle(found: Difference, isOfLines = false): string {
  const { total, unit } = found;
  if (found.scale !== 1) return 'How the shares changed';
  if (total.change === 0) return 'The two took the same';
  if (!total.isSure && total.margin > 0) return 'The two differ no more than chance explains';
  const size =
    total.relative === null
      ? formatValue(Math.abs(total.change), unit)
      : formatShare(Math.abs(total.relative));
  const words = `${size} ${comparison(unit, total.change > 0)} than before`;
  return isOfLines ? `The lines together are ${words}` : words;
}

export function diffText(found: Difference): string {
  const { total, unit, rows } = found;
  const sentences = [
    `${formatValue(total.before ?? 0, unit)} before, ${formatValue(total.after ?? 0, unit)} after (${signed(total.change, unit)}).`,
  ];
  if (found.scale !== 1) {
    sentences.push(
      `Values after are multiplied by ${found.scale.toPrecision(3)}, so that both totals are equal.`,
    );
  }
  const sure = rows.filter((row) => row.isSure && row.change !== 0).length;
  if (found.isSampled) {
    sentences.push(`${sure} of ${rows.length} rows changed by more than chance explains.`);
  }
  return sentences.join(' ');
}
