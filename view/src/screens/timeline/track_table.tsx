// The same as the picture: how long each track did what, in the range that is chosen or in sight.
import { useMemo, useState } from 'preact/hooks';
import type { TimelineValues } from '../../data/types';
import { formatDuration } from '../../model/format';
import type { Range } from '../../parts/range';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { secondsByCategory } from './activity';
import { categoryWords, shortCategoryWords } from './categories';
import type { Row } from './rows';

export interface TrackSums {
  readonly row: Row;
  readonly seconds: Float64Array; // by category
}

export function sumTracks(values: TimelineValues, rows: readonly Row[], range: Range): TrackSums[] {
  return rows
    .filter((row) => row.kind === 'track' && row.index >= 0)
    .map((row) => ({ row, seconds: secondsByCategory(values, row.index, range) }));
}

export function sumRows(values: TimelineValues, sums: readonly TrackSums[]): (string | number)[][] {
  const head = ['track', 'state', ...values.categories.map((name) => `${categoryWords(name)} (s)`)];
  return [
    head,
    ...sums.map(({ row, seconds }) => [
      row.name,
      row.state,
      ...Array.from(seconds, (value) => Number(value.toFixed(6))),
    ]),
  ];
}

export function sortTracks(sums: readonly TrackSums[], sorting: Sorting | null): readonly TrackSums[] {
  if (!sorting) return sums;
  const sign = sorting.isDescending ? -1 : 1;
  if (sorting.column === 'name') return [...sums].sort((a, b) => sign * a.row.name.localeCompare(b.row.name));
  const category = Number(sorting.column);
  return [...sums].sort((a, b) => sign * (a.seconds[category] - b.seconds[category]));
}

export function TrackTable(props: {
  values: TimelineValues;
  sums: readonly TrackSums[];
  onTrack: (row: Row) => void;
}) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [selected, setSelected] = useState(-1);
  const sums = useMemo(() => sortTracks(props.sums, sorting), [props.sums, sorting]);
  const columns: Column[] = [
    { id: 'name', title: 'Track', width: 'minmax(140px, 2fr)', cell: (at) => sums[at].row.name },
    {
      id: 'state',
      title: 'Ended',
      width: '80px',
      isSortable: false,
      cell: (at) => sums[at].row.state,
    },
    ...props.values.categories.map((name, i) => ({
      id: String(i),
      title: shortCategoryWords(name),
      hint: categoryWords(name),
      width: 'minmax(70px, 1fr)',
      isNumber: true,
      cell: (at: number) => formatDuration(sums[at].seconds[i] * 1e9),
    })),
  ];
  const onSort = (column: string) => {
    if (sorting?.column !== column) setSorting({ column, isDescending: column !== 'name' });
    else setSorting({ column, isDescending: !sorting.isDescending });
  };
  return (
    <VirtualTable
      label="Tracks"
      columns={columns}
      rowCount={sums.length}
      rowKey={(at) => sums[at].row.id}
      {...(sorting && { sorting })}
      onSort={onSort}
      selected={selected}
      onSelect={setSelected}
      onOpen={(at) => props.onTrack(sums[at].row)}
    />
  );
}
