// What is under the pointer, in at most five lines.
import type { Tables, TimelineValues } from '../../data/types';
import { formatShare, formatValue, visible } from '../../model/format';
import { formatTick } from '../../parts/ticks';
import { bucketAt, bucketWidth, seriesStart, valueAt } from './activity';
import { categoryWords } from './categories';
import { regionAt, type Row } from './rows';

const MOST_KINDS = 3;

export function describeMoment(
  values: TimelineValues,
  tables: Tables,
  row: Row,
  seconds: number,
  y: number, // below the row's top
): string[] {
  const step = Math.max(1e-6, bucketWidth(values));
  const lines = [row.name, `at ${formatTick(seconds, 10 ** Math.floor(Math.log10(step)))}`];
  if (row.kind === 'curve') {
    const { time, value, unit } = values.counters[row.index];
    const now = valueAt(time, value, seconds);
    lines.push(now === null ? 'nothing recorded yet' : formatValue(now, unit));
    return lines;
  }
  const region = regionAt(values, tables, row, seconds, y);
  if (region >= 0) {
    const { names, name, duration } = values.regions;
    lines[0] = `region ${visible(names[name[region]])}`;
    lines.push(`lasts ${formatValue(duration[region] * 1e9, 'ns')}`);
    if (row.index >= 0) lines.push('Click to see only this region.');
    return lines;
  }
  return lines.concat(kindsAt(values, row.index, seconds));
}

// The largest kinds of activity: shares of a thread, or numbers of threads of a process.
function kindsAt(values: TimelineValues, track: number, seconds: number): string[] {
  const bucket = bucketAt(values, seconds);
  if (bucket < 0 || track < 0) return ['nothing recorded'];
  const kinds = values.categories
    .map((category, i) => ({ category, value: values.activity[seriesStart(values, track, i) + bucket] }))
    .filter(({ value }) => value > 0.005)
    .sort((a, b) => b.value - a.value);
  if (kinds.length === 0) return ['nothing recorded'];
  return kinds.slice(0, MOST_KINDS).map(({ category, value }) => {
    const amount = values.by === 'thread' ? formatShare(value) : `${value.toFixed(1)} threads`;
    return `${categoryWords(category)}: ${amount}`;
  });
}
