// The processes with their peaks, those that had most first.
import { useMemo, useState } from 'preact/hooks';
import { setScope } from '../../app/scope';
import type { MemoryOfRun, ProcessPeaks } from '../../data/memory';
import type { Tables } from '../../data/types';
import { formatBytes, formatDuration, formatShare, shareOf } from '../../model/format';
import { hostName, processName } from '../../parts/process_names';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { TABLE_HEIGHT } from './place_table';

interface ProcessFigure {
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  readonly value: (processes: ProcessPeaks, row: number) => number; // NaN: unknown
  readonly format: (value: number) => string;
}

const seconds = (value: number) => formatDuration(value * 1e9);

const FIGURES: readonly ProcessFigure[] = [
  { id: 'heap', title: 'Peak heap', value: (of, row) => of.heap[row], format: formatBytes },
  { id: 'heap-time', title: 'At', value: (of, row) => of.heapTime[row], format: seconds },
  { id: 'resident', title: 'Resident', value: (of, row) => of.resident[row], format: formatBytes },
  { id: 'resident-time', title: 'At', value: (of, row) => of.residentTime[row], format: seconds },
  { id: 'limit', title: 'Limit', value: (of, row) => of.limit[row], format: formatBytes },
  {
    id: 'of-limit',
    title: 'Of the limit',
    hint: 'Resident memory, of the limit of its cgroup',
    value: (of, row) => (of.limit[row] > 0 ? shareOf(of.resident[row], of.limit[row]) : Number.NaN),
    format: formatShare,
  },
  { id: 'physical', title: 'Machine', value: (of, row) => of.physical[row], format: formatBytes },
  { id: 'live', title: 'Live at end', value: (of, row) => of.live[row], format: formatBytes },
  { id: 'allocated', title: 'Allocated', value: (of, row) => of.allocated[row], format: formatBytes },
];

export function ProcessTable(props: { memory: MemoryOfRun; tables: Tables }) {
  const { tables } = props;
  const { processes } = props.memory;
  const [sorting, setSorting] = useState<Sorting>({ column: '', isDescending: true });
  const [selected, setSelected] = useState(-1);
  const known = FIGURES.filter((figure) =>
    processes.process.some((_, row) => figure.value(processes, row) > 0),
  );
  const order = useMemo(() => {
    const figure = FIGURES.find((each) => each.id === sorting.column);
    const key = (row: number): number | string | null => {
      if (sorting.column === 'name') return processName(tables, processes.process[row]);
      const value = figure?.value(processes, row) ?? -row;
      return Number.isNaN(value) ? null : value;
    };
    return sortedRows(processes.count, key, sorting.isDescending);
  }, [processes, sorting, tables]);
  const hasHosts = new Set(Array.from(processes.process, (row) => hostName(tables, row))).size > 1;
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Process',
      width: 'minmax(120px, 1fr)',
      cell: (at) => processName(tables, processes.process[order[at]]),
    },
    ...(hasHosts
      ? [
          {
            id: 'host',
            title: 'Host',
            width: 'minmax(90px, 1fr)',
            isSortable: false,
            cell: (at: number) => hostName(tables, processes.process[order[at]]),
          },
        ]
      : []),
    ...known.map((figure): Column => ({
      id: figure.id,
      title: figure.title,
      hint: figure.hint ?? '',
      width: 'minmax(84px, 1fr)',
      isNumber: true,
      cell: (at) => {
        const value = figure.value(processes, order[at]);
        return Number.isNaN(value) ? '' : figure.format(value);
      },
    })),
  ];
  return (
    <VirtualTable
      label="Memory of each process"
      columns={columns}
      rowCount={order.length}
      rowKey={(at) => order[at]}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column))}
      selected={selected}
      onSelect={setSelected}
      onOpen={(at) => setScope({ processes: [processes.process[order[at]]] })}
      height={processes.count > 8 ? TABLE_HEIGHT : `${processes.count * 28 + 40}px`}
    />
  );
}
