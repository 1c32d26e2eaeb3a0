// The heatmap's figures as tables: functions over all ranks, and the ranks of one function.
import { useMemo, useState } from 'preact/hooks';
import { setScope } from '../../app/scope';
import type { RankValues, Tables, Unit } from '../../data/types';
import { formatValue, nameOf, placeOf } from '../../model/format';
import { hostName, processName } from '../../parts/process_names';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { formatTimes, indexOfLargest } from './statistics';

function imbalanceOf(ranks: RankValues, row: number): number {
  return ranks.mean[row] > 0 ? ranks.maximum[row] / ranks.mean[row] : 0;
}

export function FunctionTable(props: {
  ranks: RankValues;
  tables: Tables;
  unit: Unit;
  selected: number;
  onSelect: (row: number) => void;
}) {
  const { ranks, tables, unit } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: 'waste', isDescending: true });
  const count = ranks.process.length;
  const figures: Record<string, (row: number) => number | string> = {
    name: (row) => nameOf(tables, ranks.function[row]),
    minimum: (row) => ranks.minimum[row],
    median: (row) => ranks.median[row],
    mean: (row) => ranks.mean[row],
    maximum: (row) => ranks.maximum[row],
    deviation: (row) => ranks.deviation[row],
    imbalance: (row) => imbalanceOf(ranks, row),
    waste: (row) => ranks.maximum[row] - ranks.mean[row],
  };
  const rows = useMemo(
    () =>
      sortedRows(ranks.function.length, figures[sorting.column] ?? figures['waste'], sorting.isDescending),
    [ranks, sorting],
  );
  const figure = (id: string, title: string, hint?: string): Column => ({
    id,
    title,
    width: '88px',
    isNumber: true,
    ...(hint !== undefined && { hint }),
    cell: (row) => formatValue(figures[id](rows[row]) as number, unit),
  });
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(160px, 2fr)',
      cell: (row) => (
        <span
          class="mono"
          title={`${nameOf(tables, ranks.function[rows[row]])} ${placeOf(tables, ranks.function[rows[row]])}`}
        >
          {nameOf(tables, ranks.function[rows[row]])}
        </span>
      ),
    },
    figure('minimum', 'Minimum'),
    figure('median', 'Median'),
    figure('mean', 'Mean'),
    figure('maximum', 'Maximum'),
    figure('deviation', 'Deviation'),
    figure('waste', 'Max − mean', 'What the mean rank waits for the slowest, if all wait at the end'),
    {
      id: 'imbalance',
      title: 'Max/mean',
      width: '80px',
      isNumber: true,
      cell: (row) => formatTimes(ranks.maximum[rows[row]], ranks.mean[rows[row]]),
    },
    {
      id: 'where',
      title: 'Largest on',
      width: 'minmax(90px, 1fr)',
      isSortable: false,
      cell: (row) => {
        const values = ranks.value.subarray(rows[row] * count, (rows[row] + 1) * count);
        return processName(tables, ranks.process[indexOfLargest(values)]);
      },
    },
  ];
  return (
    <VirtualTable
      label="Functions over all ranks"
      columns={columns}
      rowCount={rows.length}
      rowKey={(row) => ranks.function[rows[row]]}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column))}
      selected={rows.indexOf(props.selected)}
      onSelect={(row) => props.onSelect(rows[row])}
    />
  );
}

export function RankTable(props: { ranks: RankValues; row: number; tables: Tables; unit: Unit }) {
  const { ranks, tables, unit } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: 'value', isDescending: true });
  const [selected, setSelected] = useState(-1);
  const count = ranks.process.length;
  const values = ranks.value.subarray(props.row * count, (props.row + 1) * count);
  const mean = ranks.mean[props.row];
  const figures: Record<string, (at: number) => number | string> = {
    rank: (at) => tables.processes.rank[ranks.process[at]] ?? at,
    host: (at) => hostName(tables, ranks.process[at]),
    value: (at) => values[at],
  };
  const rows = useMemo(
    () => sortedRows(count, figures[sorting.column] ?? figures['value'], sorting.isDescending),
    [ranks, props.row, sorting],
  );
  const columns: Column[] = [
    {
      id: 'rank',
      title: 'Rank',
      width: 'minmax(80px, 1fr)',
      cell: (row) => (
        <button
          type="button"
          class="link"
          title="Show only this one on all screens"
          onClick={() => setScope({ processes: [ranks.process[rows[row]]] })}
        >
          {processName(tables, ranks.process[rows[row]])}
        </button>
      ),
    },
    {
      id: 'host',
      title: 'Host',
      width: 'minmax(80px, 1fr)',
      cell: (row) => hostName(tables, ranks.process[rows[row]]),
    },
    {
      id: 'value',
      title: 'Value',
      width: '90px',
      isNumber: true,
      cell: (row) => formatValue(values[rows[row]], unit),
    },
    {
      id: 'times',
      title: '× mean',
      width: '70px',
      isNumber: true,
      isSortable: false,
      cell: (row) => formatTimes(values[rows[row]], mean),
    },
  ];
  return (
    <VirtualTable
      label={`The ranks of ${nameOf(tables, ranks.function[props.row])}`}
      columns={columns}
      rowCount={count}
      rowKey={(row) => rows[row]}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column))}
      selected={selected}
      onSelect={setSelected}
      onOpen={(row) => setScope({ processes: [ranks.process[rows[row]]] })}
    />
  );
}

// Everything, a row per function and a column per rank, in the metric's own unit.
export function matrixRows(ranks: RankValues, tables: Tables): (string | number)[][] {
  const count = ranks.process.length;
  const names = Array.from(ranks.process, (row) => processName(tables, row));
  const head = ['function', 'place', 'minimum', 'median', 'maximum', 'mean', 'deviation', ...names];
  const rows = Array.from(ranks.function, (fn, row) => [
    nameOf(tables, fn),
    placeOf(tables, fn),
    ranks.minimum[row],
    ranks.median[row],
    ranks.maximum[row],
    ranks.mean[row],
    ranks.deviation[row],
    ...ranks.value.subarray(row * count, (row + 1) * count),
  ]);
  return [head, ...rows];
}
