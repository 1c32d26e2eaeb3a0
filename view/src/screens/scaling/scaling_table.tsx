// Every function or line with its times and what it loses.
import { useMemo, useState } from 'preact/hooks';
import { formatCount, formatShare, formatValue, visible } from '../../model/format';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import type { Scaling, ScalingPoint, ScalingRow } from './scaling_data';

type Figure = (point: ScalingPoint) => number | null;

// Of the largest count.
const FIGURES: readonly {
  id: string;
  title: string;
  hint: string;
  of: Figure;
  format: (value: number) => string;
}[] = [
  {
    id: 'speedup',
    title: 'Speed-up',
    hint: 'Time at the smallest count over time at the largest',
    of: (point) => point.speedup,
    format: (value) => value.toFixed(2),
  },
  {
    id: 'efficiency',
    title: 'Efficiency',
    hint: 'Speed-up over what it would be if the work were shared without loss',
    of: (point) => point.efficiency,
    format: formatShare,
  },
  {
    id: 'serial',
    title: 'Serial part',
    hint: 'How much of it behaves as if only one process did it (Karp and Flatt)',
    of: (point) => point.serialFraction,
    format: formatShare,
  },
  {
    id: 'loss',
    title: 'Loss',
    hint: 'What the whole run would save if this scaled ideally',
    of: (point) => point.loss,
    format: formatShare,
  },
];

const MOST_COUNTS = 6;

// All counts, or some from the first to the last where there is no room for all.
export function shownCounts(count: number): number[] {
  const shown = Math.min(count, MOST_COUNTS);
  return Array.from({ length: shown }, (_, i) =>
    shown < 2 ? 0 : Math.round((i * (count - 1)) / (shown - 1)),
  );
}

export function ScalingTable(props: {
  study: Scaling;
  rows: readonly ScalingRow[]; // by loss
  selected: number;
  onSelect: (row: number) => void;
}) {
  const { study, rows } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: 'loss', isDescending: true });
  const last = study.counts.length - 1;
  const order = useMemo(() => {
    const timeAt = /^time(\d+)$/.exec(sorting.column);
    const figure = FIGURES.find((each) => each.id === sorting.column);
    const keyOf = (row: number): number | string | null => {
      if (timeAt) return rows[row].points[Number(timeAt[1])]?.time ?? null;
      if (sorting.column === 'name') return rows[row].name;
      const point = rows[row].points[last];
      return point && figure ? figure.of(point) : null;
    };
    return sortedRows(rows.length, keyOf, sorting.isDescending);
  }, [rows, sorting, last]);

  const columns: Column[] = [
    {
      id: 'name',
      title: rows.some((row) => row.source !== '') ? 'Line' : 'Function',
      width: 'minmax(180px, 2fr)',
      cell: (at) => {
        const row = rows[order[at]];
        return (
          <span class="mono" title={`${visible(row.name)} ${row.place}`}>
            {visible(row.source || row.name)}
          </span>
        );
      },
    },
    {
      id: 'place',
      title: 'Where',
      width: 'minmax(100px, 1fr)',
      isSortable: false,
      cell: (at) => <span class="mono">{visible(rows[order[at]].place)}</span>,
    },
    ...study.counts.map((count, i): Column => ({
      id: `time${i}`,
      title: `at ${formatCount(count)}`,
      hint: `Time at ${formatCount(count)} processes`,
      width: '80px',
      isNumber: true,
      cell: (at) => {
        const point = rows[order[at]].points[i];
        return point ? formatValue(point.time, study.unit) : '–';
      },
    })),
    ...FIGURES.map((figure): Column => ({
      id: figure.id,
      title: figure.title,
      hint: figure.hint,
      width: '84px',
      isNumber: true,
      cell: (at) => {
        const point = rows[order[at]].points[last];
        const value = point ? figure.of(point) : null;
        return value === null ? '–' : figure.format(value);
      },
    })),
  ];
  return (
    <VirtualTable
      label={`Times and figures at ${formatCount(study.counts[last])} processes`}
      columns={columns}
      rowCount={rows.length}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column))}
      selected={order.indexOf(props.selected)}
      onSelect={(at) => props.onSelect(order[at])}
      height="clamp(240px, 48vh, 620px)"
    />
  );
}

export function scalingCsv(study: Scaling, rows: readonly ScalingRow[]): (string | number)[][] {
  const head = [
    'name',
    'place',
    'source',
    ...study.counts.flatMap((count) =>
      ['time', 'speedup', 'efficiency', 'serial_fraction', 'loss'].map((figure) => `${figure}_${count}`),
    ),
  ];
  const cells = (point: ScalingPoint | null): (string | number)[] =>
    point
      ? [point.time, point.speedup, point.efficiency, point.serialFraction, point.loss].map(
          (value) => value ?? '',
        )
      : ['', '', '', '', ''];
  return [
    head,
    ...[study.total, ...rows].map((row) => [row.name, row.place, row.source, ...row.points.flatMap(cells)]),
  ];
}
