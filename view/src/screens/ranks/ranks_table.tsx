// The ranks of the job, a row each: the figures of the bars.
import { useMemo, useState } from 'preact/hooks';
import { setScope } from '../../app/scope';
import type { ParallelJob } from '../../data/parallel_job';
import type { Tables } from '../../data/types';
import { formatCount, formatDuration } from '../../model/format';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { endingOf, hostOfRank, rankName } from './bar_words';
import { processesOfRanks } from './job';
import { PARTS, partsOf } from './rank_bars';

type Figures = Readonly<Record<string, (row: number) => number | string>>;

function figuresOf(job: ParallelJob, tables: Tables): Figures {
  const parts = partsOf(job.ranks);
  const part = (index: number) => (row: number) => parts[row * PARTS.length + index];
  return {
    rank: (row) => job.ranks.number[row],
    host: (row) => hostOfRank(job, row),
    ending: (row) => endingOf(tables, job, row),
    wall: (row) => job.ranks.wall[row],
    useful: part(0),
    transfer: part(1),
    wait: part(2),
    other: part(3),
    io: (row) => job.ranks.io[row],
    runnable: (row) => job.ranks.runnable[row],
    samples: (row) => job.ranks.samples[row],
  };
}

const TEXTS = ['rank', 'host', 'ending'];

export function JobRanksTable(props: { job: ParallelJob; tables: Tables }) {
  const { job, tables } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: 'rank', isDescending: false });
  const [selected, setSelected] = useState(-1);
  const figures = useMemo(() => figuresOf(job, tables), [job, tables]);
  const rows = useMemo(
    () => sortedRows(job.ranks.count, figures[sorting.column] ?? figures['rank'], sorting.isDescending),
    [job, figures, sorting],
  );
  const pick = (row: number) => setScope({ processes: processesOfRanks(tables, job, [rows[row]]) });
  const time = (id: string, title: string, hint?: string): Column => ({
    id,
    title,
    width: '96px',
    isNumber: true,
    ...(hint !== undefined && { hint }),
    cell: (row) => formatDuration(figures[id](rows[row]) as number),
  });
  const columns: Column[] = [
    {
      id: 'rank',
      title: 'Rank',
      width: 'minmax(110px, 1fr)',
      cell: (row) => (
        <>
          <button
            type="button"
            class="link"
            title="Show only this one on all screens"
            onClick={() => pick(row)}
          >
            {rankName(job, rows[row])}
          </button>{' '}
          {job.ranks.isIdle[rows[row]] === 1 && <span class="badge">idle</span>}
        </>
      ),
    },
    { id: 'host', title: 'Host', width: 'minmax(80px, 1fr)', cell: (row) => hostOfRank(job, rows[row]) },
    { id: 'ending', title: 'Ended', width: '110px', cell: (row) => endingOf(tables, job, rows[row]) },
    time('wall', 'Wall'),
    time('useful', PARTS[0].short, 'On a CPU, and not in MPI'),
    time('transfer', PARTS[1].short),
    time('wait', PARTS[2].short, 'Beyond the quickest call of its like on any rank'),
    time('other', PARTS[3].short, 'What is left of the wall time: input and output, sleeping, no free core'),
    time('io', 'I/O', 'Waiting for files and sockets, all threads'),
    time('runnable', 'No core', 'Could have run and had no core, all threads'),
    {
      id: 'samples',
      title: 'Samples',
      width: '80px',
      isNumber: true,
      cell: (row) => formatCount(job.ranks.samples[rows[row]]),
    },
  ];
  return (
    <VirtualTable
      label="Ranks of the job"
      columns={columns}
      rowCount={rows.length}
      rowKey={(row) => rows[row]}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column, TEXTS.includes(column)))}
      selected={selected}
      onSelect={setSelected}
      onOpen={pick}
    />
  );
}

export function jobRankRows(job: ParallelJob, tables: Tables): (string | number)[][] {
  const figures = figuresOf(job, tables);
  const names = Object.keys(figures);
  const rows = Array.from(job.ranks.number, (_, row) => names.map((name) => figures[name](row)));
  return [[...names, 'idle'], ...rows.map((row, i) => [...row, job.ranks.isIdle[i]])];
}
