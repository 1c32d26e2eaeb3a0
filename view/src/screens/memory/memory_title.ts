// What stands out about memory, in one sentence.
import type { LineValues, Metric, Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { hottestLines } from '../../model/lines';
import type { CallTree } from '../../model/types';

export function linesTitle(lines: LineValues, tables: Tables): string {
  const increment = lines.increment ?? new Float64Array(0);
  let most = 0;
  for (let row = 1; row < increment.length; ++row) if (increment[row] > increment[most]) most = row;
  if (!(increment[most] > 0)) return 'No line added memory';
  const place = placeOf(tables, lines.function[most], lines.line[most]);
  return `${place} added ${formatValue(increment[most], 'bytes')}, more than any other line`;
}

export function ownersTitle(metric: Metric, tree: CallTree, tables: Tables): string {
  const [most] = hottestLines(tree, tables, 1);
  if (!most) return metric.label;
  const amount = `${formatValue(most.self, 'bytes')} (${formatShare(shareOf(most.self, tree.whole))})`;
  return `${nameOf(tables, most.function)} at ${placeOf(tables, most.function, most.line)} has the most: ${amount}`;
}
