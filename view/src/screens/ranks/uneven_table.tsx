// Functions whose useful time is spread unevenly over the ranks, and what evening it out could save.
import { useMemo, useState } from 'preact/hooks';
import { searchMatches, selectedFunction, selectFunction } from '../../app/store';
import type { ParallelJob } from '../../data/parallel_job';
import type { Tables } from '../../data/types';
import { formatCount, formatDuration, formatShare, nameOf, placeOf } from '../../model/format';
import { figureColumns, sortedByColumn, type SortKeys } from '../../parts/figure_columns';
import { toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { rankName } from './bar_words';
import { unevenVerdict } from './uneven_words';

export function UnevenTable(props: { job: ParallelJob; tables: Tables }) {
  const { job, tables } = props;
  const { uneven } = job;
  const [sorting, setSorting] = useState<Sorting>({ column: 'cost', isDescending: true });
  const matches = searchMatches.value;
  const found = useMemo(() => {
    const all = Uint32Array.from(uneven.function.keys());
    return matches ? all.filter((row) => matches[uneven.function[row]] === 1) : all;
  }, [uneven, matches]);
  const rows = useMemo(() => {
    const keys: SortKeys = {
      name: (row) => nameOf(tables, uneven.function[row]),
      cost: (row) => uneven.cost[row],
      factor: (row) => uneven.factor[row],
      mean: (row) => uneven.mean[row],
      deviation: (row) => uneven.deviation[row],
      minimum: (row) => uneven.minimum[row],
      maximum: (row) => uneven.maximum[row],
    };
    return sortedByColumn(found, keys, 'cost', sorting);
  }, [found, sorting, tables, uneven]);
  const figure = figureColumns(rows);
  const at = (value: number, rank: number) => `${formatDuration(value)} · ${rankName(job, rank)}`;
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(150px, 3fr)',
      cell: (row) => {
        const fn = uneven.function[rows[row]];
        return (
          <span title={`${nameOf(tables, fn)} ${placeOf(tables, fn)}`}>
            <span class="mono">{nameOf(tables, fn)}</span> <small class="in-row">{placeOf(tables, fn)}</small>
          </span>
        );
      },
    },
    figure(
      'cost',
      'Cost',
      '124px',
      (row) => `${formatDuration(uneven.cost[row])} · ${formatShare(uneven.share[row])}`,
      'Maximum less mean: what evening it out could save, and as a share of the job',
    ),
    figure(
      'factor',
      'Max/mean',
      '80px',
      (row) => uneven.factor[row].toFixed(2),
      'The imbalance: 1 when all ranks have the same',
    ),
    figure('mean', 'Mean', '84px', (row) => formatDuration(uneven.mean[row])),
    figure('deviation', 'Deviation', '84px', (row) => formatDuration(uneven.deviation[row])),
    figure('minimum', 'Least', '150px', (row) => at(uneven.minimum[row], uneven.lowest[row])),
    figure('maximum', 'Most', '150px', (row) => at(uneven.maximum[row], uneven.highest[row])),
    {
      id: 'verdict',
      title: 'Verdict',
      width: 'minmax(150px, 2fr)',
      isSortable: false,
      cell: (row) => unevenVerdict(uneven, rows[row]),
    },
  ];
  if (uneven.count === 0) return <p class="note">No useful time was recorded on any rank.</p>;
  if (rows.length === 0) {
    return <p>{`None of the ${formatCount(uneven.count)} functions matches the search.`}</p>;
  }
  const selected = selectedFunction.value;
  return (
    <>
      <VirtualTable
        label="Useful time of functions over the ranks"
        columns={columns}
        rowCount={rows.length}
        rowKey={(row) => rows[row]}
        sorting={sorting}
        onSort={(column) => setSorting(toggleSort(sorting, column))}
        selected={rows.findIndex((row) => uneven.function[row] === selected)}
        onSelect={(row) => selectFunction(uneven.function[rows[row]])}
      />
      {job.functionsLeftOut > 0 && (
        <p class="note">{`${formatCount(job.functionsLeftOut)} more functions, which cost least, are not shown.`}</p>
      )}
    </>
  );
}
