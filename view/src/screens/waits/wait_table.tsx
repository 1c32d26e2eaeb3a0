// Rows of waits: who, where, how long, for what.
import { useMemo, useState } from 'preact/hooks';
import { goTo } from '../../app/address';
import { selectFunction } from '../../app/store';
import type { Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { Bar } from '../../parts/bar';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { KIND_WORDS, objectWords, type WaitKind } from './wait_words';
import { kindOfObject, type WaitGrouping, type WaitRow } from './wait_rows';

export function WaitTable(props: {
  rows: readonly WaitRow[];
  kinds: readonly WaitKind[];
  grouping: WaitGrouping;
  whole: number;
  tables: Tables;
  height: string;
}) {
  const { rows, kinds, grouping, tables } = props;
  const isObject = grouping === 'object';
  const [sorting, setSorting] = useState<Sorting>({ column: 'time', isDescending: true });
  const [selected, setSelected] = useState(-1);
  const nameOfObject = (object: number) =>
    object < 0 ? KIND_WORDS[kinds[kindOfObject(object)]].object : objectWords(nameOf(tables, object));
  const nameOfRow = (row: WaitRow) => (isObject ? nameOfObject(row.function) : nameOf(tables, row.function));
  const placeOfRow = (row: WaitRow) => (isObject ? '' : placeOf(tables, row.function, row.line || undefined));
  const partnerOf = (row: WaitRow) =>
    isObject
      ? `${nameOf(tables, row.partner)} ${placeOf(tables, row.partner, row.partnerLine || undefined)}`
      : nameOfObject(row.partner);
  const order = useMemo(() => {
    const keyOf = (at: number) => {
      if (sorting.column === 'name') return nameOfRow(rows[at]);
      if (sorting.column === 'place') return placeOfRow(rows[at]);
      return rows[at].total;
    };
    return sortedRows(rows.length, keyOf, sorting.isDescending);
  }, [rows, sorting]);
  const largest = rows[0]?.total ?? 0;
  const placeColumn: Column = {
    id: 'place',
    title: 'Where',
    width: 'minmax(110px, 1fr)',
    cell: (at) => <span class="mono">{placeOfRow(rows[order[at]])}</span>,
  };
  const columns: Column[] = [
    {
      id: 'name',
      title: isObject ? 'Waited for' : 'Who waits',
      width: 'minmax(140px, 2fr)',
      cell: (at) => (
        <span class={isObject ? '' : 'mono'} title={nameOfRow(rows[order[at]])}>
          {nameOfRow(rows[order[at]])}
        </span>
      ),
    },
    ...(isObject ? [] : [placeColumn]),
    {
      id: 'time',
      title: 'Time',
      width: '80px',
      isNumber: true,
      cell: (at) => formatValue(rows[order[at]].total, 'ns'),
    },
    {
      id: 'share',
      title: 'Share',
      width: '64px',
      isNumber: true,
      isSortable: false,
      hint: 'Of the time of all threads, running or waiting',
      cell: (at) => formatShare(shareOf(rows[order[at]].total, props.whole)),
    },
    {
      id: 'kinds',
      title: 'Kinds',
      width: 'minmax(80px, 1fr)',
      isSortable: false,
      cell: (at) => {
        const row = rows[order[at]];
        const pieces = kinds.map((kind, i) => ({ id: kind, share: shareOf(row.values[i], largest) }));
        const words = kinds
          .map((kind, i) => ({ kind, value: row.values[i] }))
          .filter(({ value }) => value > 0)
          .map(({ kind, value }) => `${KIND_WORDS[kind].name} ${formatValue(value, 'ns')}`);
        return (
          <>
            <Bar pieces={pieces} title={words.join(', ')} />
            <span class="visually-hidden">{words.join(', ')}</span>
          </>
        );
      },
    },
    {
      id: 'partner',
      title: isObject ? 'Mostly by' : 'Mostly for',
      width: 'minmax(140px, 2fr)',
      isSortable: false,
      cell: (at) => <span title={partnerOf(rows[order[at]])}>{partnerOf(rows[order[at]])}</span>,
    },
  ];
  const select = (at: number) => {
    setSelected(at);
    selectFunction(isObject ? rows[order[at]].partner : rows[order[at]].function);
  };
  const open = (at: number) => {
    const row = rows[order[at]];
    goTo('source', {
      function: isObject ? row.partner : row.function,
      line: (isObject ? row.partnerLine : row.line) || null,
      file: null,
    });
  };
  return (
    <VirtualTable
      label="Who waits, and for what"
      columns={columns}
      rowCount={rows.length}
      sorting={sorting}
      onSort={(column) => setSorting(toggleSort(sorting, column, column === 'name' || column === 'place'))}
      selected={selected}
      onSelect={select}
      onOpen={open}
      height={props.height}
    />
  );
}

export function waitCsv(
  rows: readonly WaitRow[],
  kinds: readonly WaitKind[],
  tables: Tables,
): (string | number)[][] {
  const nameOfSide = (side: number) =>
    side < 0 ? KIND_WORDS[kinds[kindOfObject(side)]].object : nameOf(tables, side);
  const placeOfSide = (side: number, line: number) =>
    side < 0 ? '' : placeOf(tables, side, line || undefined);
  return [
    ['name', 'place', 'nanoseconds', ...kinds, 'mostly', 'mostly_place'],
    ...rows.map((row) => [
      nameOfSide(row.function),
      placeOfSide(row.function, row.line),
      row.total,
      ...row.values,
      nameOfSide(row.partner),
      placeOfSide(row.partner, row.partnerLine),
    ]),
  ];
}
