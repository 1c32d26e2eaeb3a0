// What changed, function by function or line by line.
import { useMemo, useState } from 'preact/hooks';
import type { Unit } from '../../data/types';
import { formatCount, formatValue, visible } from '../../model/format';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import type { ChangeRow } from './diff_data';
import { chanceWords, relativeWords, signed } from './diff_words';

// Less to the left of the middle, more to the right.
function ChangeBar(props: { share: number }) {
  const width = `${Math.min(1, Math.abs(props.share)) * 50}%`;
  const isMore = props.share > 0;
  return (
    <div class="change-bar" aria-hidden="true">
      <i class={isMore ? 'more' : 'less'} style={isMore ? { left: '50%', width } : { right: '50%', width }} />
    </div>
  );
}

const KEYS: Readonly<Record<string, (row: ChangeRow) => number | string | null>> = {
  change: (row) => Math.abs(row.change),
  before: (row) => row.before,
  after: (row) => row.after,
  relative: (row) => row.relative,
  name: (row) => row.name,
  place: (row) => row.place,
};

export function DiffTable(props: { rows: readonly ChangeRow[]; unit: Unit }) {
  const { rows, unit } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: 'change', isDescending: true });
  const [selected, setSelected] = useState(-1);
  const order = useMemo(() => {
    const keyOf = KEYS[sorting.column] ?? KEYS['change'];
    return sortedRows(rows.length, (row) => keyOf(rows[row]), sorting.isDescending);
  }, [rows, sorting]);
  const largest = useMemo(() => rows.reduce((most, row) => Math.max(most, Math.abs(row.change)), 0), [rows]);
  const at = (row: number) => rows[order[row]];
  const value = (known: number | null) => (known === null ? '–' : formatValue(known, unit));
  const calls = (known: number | null) => (known === null ? '–' : formatCount(known));
  const hasCalls = rows.some((row) => (row.hitsBefore ?? 0) > 0 || (row.hitsAfter ?? 0) > 0);
  const callsColumn: Column = {
    id: 'hits',
    title: 'Calls',
    hint: 'Before and after, where they were counted',
    width: '120px',
    isNumber: true,
    isSortable: false,
    cell: (row) =>
      (at(row).hitsBefore ?? 0) === 0 && (at(row).hitsAfter ?? 0) === 0
        ? ''
        : at(row).hitsBefore === at(row).hitsAfter
          ? calls(at(row).hitsAfter)
          : `${calls(at(row).hitsBefore)} → ${calls(at(row).hitsAfter)}`,
  };
  const columns: Column[] = [
    {
      id: 'change',
      title: 'Change',
      width: '86px',
      isNumber: true,
      cell: (row) => <b>{signed(at(row).change, unit)}</b>,
    },
    {
      id: 'bar',
      title: 'less | more',
      width: '110px',
      isSortable: false,
      cell: (row) => <ChangeBar share={largest > 0 ? at(row).change / largest : 0} />,
    },
    {
      id: 'relative',
      title: 'Relative',
      width: '76px',
      isNumber: true,
      cell: (row) => relativeWords(at(row)),
    },
    { id: 'before', title: 'Before', width: '80px', isNumber: true, cell: (row) => value(at(row).before) },
    { id: 'after', title: 'After', width: '80px', isNumber: true, cell: (row) => value(at(row).after) },
    {
      id: 'chance',
      title: 'Certainty',
      hint: 'Half of the 95 % interval of the change; or that chance alone may explain it',
      width: '124px',
      isSortable: false,
      cell: (row) => chanceWords(at(row), unit),
    },
    {
      id: 'name',
      title: rows.some((row) => row.source !== '') ? 'Line' : 'Function',
      width: 'minmax(160px, 2fr)',
      cell: (row) => (
        <span class="mono" title={visible(at(row).name)}>
          {visible(at(row).source || at(row).name)}
          {at(row).isEdited && <span class="badge">edited</span>}
        </span>
      ),
    },
    {
      id: 'place',
      title: 'Where',
      width: 'minmax(100px, 1fr)',
      cell: (row) => (
        <span class="mono" title={at(row).oldLine > 0 ? `It was line ${at(row).oldLine} before.` : undefined}>
          {visible(at(row).place)}
        </span>
      ),
    },
    ...(hasCalls ? [callsColumn] : []),
  ];
  return (
    <VirtualTable
      label="What changed"
      columns={columns}
      rowCount={rows.length}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column, column === 'name' || column === 'place'))}
      selected={selected}
      onSelect={setSelected}
    />
  );
}

export function diffCsv(rows: readonly ChangeRow[]): (string | number)[][] {
  return [
    [
      'name',
      'place',
      'source',
      'before',
      'after',
      'change',
      'relative',
      'margin',
      'sure',
      'calls_before',
      'calls_after',
    ],
    ...rows.map((row) => [
      row.name,
      row.place,
      row.source,
      row.before ?? '',
      row.after ?? '',
      row.change,
      row.relative ?? '',
      row.margin,
      row.isSure ? 'yes' : 'no',
      row.hitsBefore ?? '',
      row.hitsAfter ?? '',
    ]),
  ];
}
