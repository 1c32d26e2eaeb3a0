// What is said about a bar, and about ranks in general.
import type { ParallelJob } from '../../data/parallel_job';
import type { Tables } from '../../data/types';
import { formatCount, formatDuration, formatShare, shareOf, visible } from '../../model/format';
import { formatRows } from '../../app/scope';
import { PARTS, ranksIn, type RankBars } from './rank_bars';

const ENDINGS = ['finished', 'killed', 'recording cut off', 'recording damaged'];

export function rankName(job: ParallelJob, row: number): string {
  return `rank ${job.ranks.number[row]}`;
}

export function hostOfRank(job: ParallelJob, row: number): string {
  return visible(job.hosts[job.ranks.host[row]]?.name ?? '');
}

export function endingOf(tables: Tables, job: ParallelJob, row: number): string {
  return ENDINGS[tables.processes.status[job.ranks.process[row]]] ?? '';
}

export function describeBar(tables: Tables, job: ParallelJob, bars: RankBars, column: number): string[] {
  const rows = ranksIn(bars.columns, column);
  if (rows.length === 0) return [];
  const means = bars.means.subarray(column * PARTS.length, (column + 1) * PARTS.length);
  const whole = means.reduce((sum, value) => sum + value, 0);
  const parts = PARTS.map(({ words }, part) => ({ words, value: means[part] }))
    .filter(({ value }) => value > 0)
    .map(({ words, value }) => `${words} ${formatDuration(value)}, ${formatShare(shareOf(value, whole))}`);
  if (rows.length > 1)
    return [manyRanks(job, rows), ...parts.map((part) => `mean ${part}`), ...idleAmong(job, rows)];
  const ending = endingOf(tables, job, rows[0]);
  return [
    [rankName(job, rows[0]), hostOfRank(job, rows[0])].filter((text) => text !== '').join(' on '),
    ...parts,
    ...(job.ranks.isIdle[rows[0]] === 1 ? ['idle: less than a fifth of the busiest rank’s work'] : []),
    ...(ending === '' || ending === ENDINGS[0] ? [] : [ending]),
  ];
}

function manyRanks(job: ParallelJob, rows: Uint32Array): string {
  const text = formatRows(Array.from(rows, (row) => job.ranks.number[row]));
  return text.length > 40
    ? `${formatCount(rows.length)} ranks`
    : `ranks ${text.replaceAll(',', ', ').replaceAll('-', '–')}`;
}

function idleAmong(job: ParallelJob, rows: Uint32Array): string[] {
  const idle = rows.reduce((sum, row) => sum + job.ranks.isIdle[row], 0);
  return idle > 0 ? [`${formatCount(idle)} of them idle`] : [];
}

// "3.1 core-hours"; jobs of seconds are for trying things out.
export function formatCoreHours(hours: number): string {
  if (hours >= 99.95) return `${formatCount(Math.round(hours))} core-hours`;
  if (hours >= 0.1) return `${hours.toFixed(1)} core-hours`;
  return `${(3600 * hours).toFixed(1)} core-seconds`;
}
