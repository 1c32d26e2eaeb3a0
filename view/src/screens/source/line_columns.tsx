// What stands before each line of code, as far as it was measured.
import { barPieces, type KindSums } from '../../app/kind_bars';
import type { Metric } from '../../data/types';
import { formatCount, formatDuration, formatShare, formatValue } from '../../model/format';
import { Bar } from '../../parts/bar';
import { cappedShare } from '../../parts/share';
import type { LineColumn } from './code_view';
import { heatOf, type FileValues } from './line_values';

const WAITS = ['gil-wait', 'lock-wait', 'mpi', 'io', 'runnable', 'sleep'];

interface LineMemory {
  readonly metric: Metric;
  readonly byLine: Float64Array;
}

const MEASURED: readonly { id: string; title: string; hint: string }[] = [
  {
    id: 'increment',
    title: 'Added',
    hint: 'Memory that the line added, with what it calls, over all visits',
  },
  { id: 'memory', title: 'Memory', hint: 'The most that the process had after this line' },
  { id: 'peak', title: 'Inside', hint: 'The most above what there was when the line began' },
  { id: 'temporary', title: 'Temporary', hint: 'Allocated and freed again within the line' },
];

// Short names beside code; the hint has the whole.
const SHORT: Readonly<Record<string, string>> = { peak: 'At peak', live: 'Live', allocated: 'Allocated' };

export function makeLineColumns(
  values: FileValues,
  metric: Metric | null,
  whole: number,
  kinds: readonly KindSums[],
): LineColumn[] {
  const heat = heatOf(values);
  const most = heat.reduce((a, b) => Math.max(a, b), 0);
  const unit = metric?.unit ?? 'count';
  const columns: LineColumn[] = [
    {
      id: 'bar',
      title: 'Heat',
      hint: 'Against the hottest line of this file',
      width: 72,
      cell: (line) => (heat[line] > 0 ? <Bar pieces={barPieces(kinds, line, heat[line], most)} /> : ''),
    },
  ];
  if (values.total.some((value) => value > 0)) {
    // Exact times say the same better.
    if (!values.exact) {
      columns.push({
        id: 'self',
        title: 'Self',
        hint: 'In this line itself, without the functions it calls',
        width: 60,
        cell: (line) => (values.self[line] > 0 ? formatValue(values.self[line], unit) : ''),
      });
    }
    columns.push(
      {
        id: 'self-share',
        title: 'Self %',
        hint: 'Of everything that was measured',
        width: 52,
        cell: (line) => (values.self[line] > 0 ? formatShare(cappedShare(values.self[line], whole)) : ''),
      },
      {
        id: 'total-share',
        title: 'Total %',
        hint: 'With the functions that this line calls; of everything that was measured',
        width: 52,
        cell: (line) => (values.total[line] > 0 ? formatShare(cappedShare(values.total[line], whole)) : ''),
      },
    );
  }
  const { exact } = values;
  if (exact) {
    columns.push(
      {
        id: 'hits',
        title: 'Hits',
        hint: 'How often the line ran',
        width: 70,
        cell: (line) => (exact.hits[line] > 0 ? formatCount(exact.hits[line]) : ''),
      },
      {
        id: 'time',
        title: 'Time',
        hint: 'Measured exactly, with what the line calls',
        width: 60,
        cell: (line) => (exact.hits[line] > 0 ? formatDuration(exact.time[line]) : ''),
      },
      {
        id: 'per-hit',
        title: 'Per hit',
        hint: 'Time divided by hits',
        width: 60,
        cell: (line) => (exact.hits[line] > 0 ? formatDuration(exact.time[line] / exact.hits[line]) : ''),
      },
    );
  }
  const waiting = sumOf(kinds.filter(({ kind }) => WAITS.includes(kind)));
  if (waiting?.some((value) => value > 0)) {
    columns.push({
      id: 'waits',
      title: 'Waits',
      hint: 'Of the self time: waiting for the GIL, locks, MPI, input and output, a CPU, or asleep',
      width: 66,
      cell: (line) => (waiting[line] > 0 ? formatValue(waiting[line], unit) : ''),
    });
  }
  return columns;
}

// What of memory is known of each line.
export function makeMemoryColumns(
  memory: readonly LineMemory[],
  measured: ReadonlyMap<string, Float64Array>,
): LineColumn[] {
  const columns: LineColumn[] = [];
  for (const { metric: each, byLine } of memory) {
    columns.push({
      id: each.name,
      title: SHORT[each.name] ?? each.label,
      hint: each.label,
      width: 68,
      cell: (line) => (byLine[line] > 0 ? formatValue(byLine[line], each.unit) : ''),
    });
  }
  for (const { id, title, hint } of MEASURED) {
    const byLine = measured.get(id);
    if (!byLine) continue;
    columns.push({
      id: `line-${id}`,
      title,
      hint,
      width: 68,
      cell: (line) => (byLine[line] !== 0 ? formatValue(byLine[line], 'bytes') : ''),
    });
  }
  return columns;
}

function sumOf(kinds: readonly KindSums[]): Float64Array | null {
  if (kinds.length === 0) return null;
  const sums = kinds[0].sums.slice();
  for (const { sums: more } of kinds.slice(1)) for (let i = 0; i < sums.length; ++i) sums[i] += more[i];
  return sums;
}
