// Which line calls what of MPI, how long ranks wait in it, and for whom.
import { useMemo, useState } from 'preact/hooks';
import { linkTo } from '../../app/address';
import { search } from '../../app/store';
import type { ParallelJob } from '../../data/parallel_job';
import { NONE, type Tables } from '../../data/types';
import { formatBytes, formatCount, formatDuration, formatShare, nameOf } from '../../model/format';
import { figureColumns, sortedByColumn, type SortKeys } from '../../parts/figure_columns';
import { toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { rankName } from './bar_words';
import { callerName, communicatorWords, lineWords, matchingCalls } from './mpi_rows';

function LineLink(props: { tables: Tables; function: number; line: number }) {
  const words = lineWords(props.tables, props.function, props.line);
  if (props.function === NONE) return <span>{words}</span>;
  const target = { function: props.function, line: props.line || null, file: null };
  return (
    <a class="mono" href={linkTo('source', target)} title={nameOf(props.tables, props.function)}>
      {words}
    </a>
  );
}

function CulpritCell(props: { job: ParallelJob; tables: Tables; row: number }) {
  const { job, tables, row } = props;
  const { calls } = job;
  if (calls.culprit[row] === NONE) return <span>–</span>;
  return (
    <span title={`Works ${formatDuration(calls.excess[row])} more there than the others`}>
      {`${rankName(job, calls.culprit[row])} at `}
      <LineLink tables={tables} function={calls.culpritFunction[row]} line={calls.culpritLine[row]} />
      {`, +${formatDuration(calls.excess[row])}`}
    </span>
  );
}

export function MpiTable(props: { job: ParallelJob; tables: Tables }) {
  const { job, tables } = props;
  const { calls } = job;
  const [sorting, setSorting] = useState<Sorting>({ column: 'wait', isDescending: true });
  const [selected, setSelected] = useState(-1);
  const wanted = search.value;
  const found = useMemo(() => matchingCalls(job, tables, wanted), [job, tables, wanted]);
  const rows = useMemo(() => {
    const keys: SortKeys = {
      line: (row) => lineWords(tables, calls.function[row], calls.line[row]),
      mpi: (row) => nameOf(tables, calls.mpi[row]),
      communicator: (row) => calls.largest[row],
      calls: (row) => calls.calls[row],
      bytes: (row) => calls.bytes[row],
      time: (row) => calls.time[row],
      wait: (row) => calls.wait[row],
    };
    return sortedByColumn(found, keys, 'wait', sorting);
  }, [found, sorting, tables, calls]);
  const figure = figureColumns(rows);
  const columns: Column[] = [
    {
      id: 'line',
      title: 'Line',
      width: 'minmax(150px, 3fr)',
      cell: (row) => (
        <>
          <LineLink tables={tables} function={calls.function[rows[row]]} line={calls.line[rows[row]]} />{' '}
          <small class="in-row">{callerName(tables, calls.function[rows[row]])}</small>
        </>
      ),
    },
    {
      id: 'mpi',
      title: 'MPI function',
      width: 'minmax(110px, 2fr)',
      cell: (row) => <span class="mono">{nameOf(tables, calls.mpi[rows[row]])}</span>,
    },
    figure(
      'communicator',
      'Communicator',
      '116px',
      (row) => communicatorWords(calls.smallest[row], calls.largest[row]),
      'How many ranks its communicators have',
    ),
    figure('calls', 'Calls', '84px', (row) => formatCount(calls.calls[row])),
    figure(
      'bytes',
      'Bytes',
      '84px',
      (row) => formatBytes(calls.bytes[row]),
      'Handed over by the callers, all calls',
    ),
    figure('time', 'Time', '84px', (row) => formatDuration(calls.time[row]), 'Of all ranks together'),
    figure(
      'wait',
      'Waiting',
      '130px',
      (row) => `${formatDuration(calls.wait[row])} · ${formatShare(calls.share[row])}`,
      'Beyond the quickest call of its like, of all ranks; and as a share of their time',
    ),
    {
      id: 'culprit',
      title: 'Likely waits for',
      hint: 'The rank that comes last, and the line where it spends more time than the others',
      width: 'minmax(170px, 3fr)',
      isSortable: false,
      cell: (row) => <CulpritCell job={job} tables={tables} row={rows[row]} />,
    },
  ];
  if (calls.count === 0) return <NoMpiCalls />;
  if (rows.length === 0) {
    return <p>{`None of the ${formatCount(calls.count)} lines that call MPI matches the search.`}</p>;
  }
  return (
    <>
      <VirtualTable
        label="Lines that call MPI"
        columns={columns}
        rowCount={rows.length}
        rowKey={(row) => rows[row]}
        sorting={sorting}
        onSort={(column) => setSorting(toggleSort(sorting, column, column === 'line' || column === 'mpi'))}
        selected={selected}
        onSelect={setSelected}
      />
      {job.callsLeftOut > 0 && (
        <p class="note">{`${formatCount(job.callsLeftOut)} more lines, in which ranks wait least, are not shown.`}</p>
      )}
    </>
  );
}

function NoMpiCalls() {
  return (
    <p class="note">
      No MPI calls were recorded: the program made none, was recorded with <code>--no-mpi</code>, or is a file
      of another tool.
    </p>
  );
}
