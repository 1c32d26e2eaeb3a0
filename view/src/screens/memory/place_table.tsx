// Lines or functions with their memory: who held the peak, what is live, what comes and goes.
import { useMemo, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../app/address';
import { searchMatches } from '../../app/store';
import type { Figure } from '../../data/memory';
import type { Tables } from '../../data/types';
import { nameOf } from '../../model/format';
import { saveCsv } from '../../parts/download';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { forWhom, whereIs, type PlaceRow } from './place_rows';
import type { PlaceFigure } from './place_panels';

export const TABLE_HEIGHT = 'clamp(220px, 44vh, 600px)';

export function PlaceTable(props: {
  label: string;
  rows: readonly PlaceRow[]; // with something of the first figure
  figures: readonly PlaceFigure[];
  tables: Tables;
  metric: Figure; // that other screens show by call path
  file: string; // of the CSV
}) {
  const { tables, figures } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: figures[0].id, isDescending: true });
  const [selected, setSelected] = useState(-1);
  const matches = searchMatches.value;
  const rows = useMemo(() => {
    const found = matches ? props.rows.filter((row) => matches[row.function] === 1) : props.rows;
    const keys: Record<string, (row: PlaceRow) => number | string> = {
      name: (row) => nameOf(tables, row.function),
      place: (row) => whereIs(tables, row),
      ...Object.fromEntries(figures.map((figure) => [figure.id, figure.value])),
    };
    const key = keys[sorting.column] ?? figures[0].value;
    return Array.from(
      sortedRows(found.length, (i) => key(found[i]), sorting.isDescending),
      (i) => found[i],
    );
  }, [props.rows, figures, sorting, tables, matches]);
  const hasCallers = rows.some((row) => forWhom(tables, row) !== '');
  const text = (id: string, title: string, hint: string, words: (row: PlaceRow) => string): Column => ({
    id,
    title,
    hint,
    width: id === 'place' ? 'minmax(140px, 3fr)' : 'minmax(100px, 2fr)',
    isSortable: id !== 'for',
    cell: (at) => (
      <span class="mono" title={words(rows[at])}>
        {words(rows[at])}
      </span>
    ),
  });
  const columns: Column[] = [
    text('name', 'Function', '', (row) => nameOf(tables, row.function)),
    text('place', 'Where', '', (row) => whereIs(tables, row)),
    ...(hasCallers
      ? [
          text('for', 'For', 'The line of your own code that most of it was for', (row) =>
            forWhom(tables, row),
          ),
        ]
      : []),
    ...figures.map((figure): Column => ({
      id: figure.id,
      title: figure.title,
      hint: figure.hint ?? '',
      width: figure.width ?? '78px',
      isNumber: figure.picture === undefined,
      isSortable: figure.picture === undefined,
      cell: (at) => figure.picture?.(rows[at]) ?? figure.words(rows[at]),
    })),
  ];
  const csv = () => {
    const numbers = figures.filter((figure) => figure.picture === undefined);
    saveCsv(
      [
        ['function', 'place', 'for', ...numbers.map((figure) => figure.id)],
        ...rows.map((row) => [
          nameOf(tables, row.function),
          whereIs(tables, row),
          forWhom(tables, row),
          ...numbers.map((figure) => figure.value(row)),
        ]),
      ],
      props.file,
    );
  };
  return (
    <>
      <VirtualTable
        label={props.label}
        columns={columns}
        rowCount={rows.length}
        rowKey={(at) => rows[at].place}
        sorting={sorting}
        onSort={(column) => setSorting(toggleSort(sorting, column, column === 'name' || column === 'place'))}
        selected={selected}
        onSelect={setSelected}
        onOpen={(at) =>
          goTo('source', { function: rows[at].function, line: rows[at].line || null, file: null })
        }
        height={TABLE_HEIGHT}
      />
      <p class="note">
        <button type="button" onClick={csv}>
          Save CSV
        </button>{' '}
        A double click or Enter opens the source. By call path it is on{' '}
        <a href={linkTo('flame', { metric: props.metric })}>flame</a> and{' '}
        <a href={linkTo('functions', { metric: props.metric })}>functions</a>.
      </p>
    </>
  );
}
