// Lines whose memory was measured one by one, as memory_profiler does.
import { useMemo, useState } from 'preact/hooks';
import { goTo } from '../../app/address';
import type { LineValues, Tables } from '../../data/types';
import { formatCount, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { Bar } from '../../parts/bar';
import { saveCsv } from '../../parts/download';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { signedBytes } from './signed_bytes';

export function MeasuredLines(props: { lines: LineValues; tables: Tables }) {
  const { lines, tables } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: 'increment', isDescending: true });
  const [selected, setSelected] = useState(-1);
  const increment = lines.increment ?? new Float64Array(lines.line.length);
  const memory = lines.memory ?? new Float64Array(lines.line.length);
  const largest = useMemo(() => increment.reduce((most, value) => Math.max(most, value), 0), [lines]);
  const order = useMemo(() => {
    const keys: Record<string, (row: number) => number | string> = {
      increment: (row) => increment[row],
      memory: (row) => memory[row],
      peak: (row) => lines.peak?.[row] ?? 0,
      temporary: (row) => lines.temporary?.[row] ?? 0,
      hits: (row) => lines.hits[row],
      place: (row) => lines.function[row] * 1e7 + lines.line[row],
    };
    return sortedRows(lines.line.length, keys[sorting.column] ?? keys['increment'], sorting.isDescending);
  }, [lines, sorting]);
  const inside = (id: string, title: string, hint: string, values: Float64Array): Column => ({
    id,
    title,
    hint,
    width: '100px',
    isNumber: true,
    cell: (at) => (values[order[at]] > 0 ? formatValue(values[order[at]], 'bytes') : ''),
  });
  const columns: Column[] = [
    {
      id: 'place',
      title: 'Line',
      width: 'minmax(120px, 1fr)',
      cell: (at) => (
        <span class="mono">{placeOf(tables, lines.function[order[at]], lines.line[order[at]])}</span>
      ),
    },
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(120px, 1fr)',
      isSortable: false,
      cell: (at) => <span class="mono">{nameOf(tables, lines.function[order[at]])}</span>,
    },
    {
      id: 'increment',
      title: 'Added',
      hint: 'By this line, over all visits',
      width: '100px',
      isNumber: true,
      cell: (at) => signedBytes(increment[order[at]]),
    },
    {
      id: 'bar',
      title: 'Compared',
      width: 'minmax(80px, 1fr)',
      isSortable: false,
      cell: (at) => <Bar pieces={[{ id: 'accent', share: shareOf(increment[order[at]], largest) }]} />,
    },
    {
      id: 'memory',
      title: 'Memory after it',
      hint: 'The most that the process had after this line',
      width: '120px',
      isNumber: true,
      cell: (at) => formatValue(memory[order[at]], 'bytes'),
    },
    ...(lines.peak
      ? [inside('peak', 'Peak inside', 'The most above what there was when the line began', lines.peak)]
      : []),
    ...(lines.temporary
      ? [inside('temporary', 'Temporary', 'Allocated and freed again within the line', lines.temporary)]
      : []),
    {
      id: 'hits',
      title: 'Visits',
      width: '80px',
      isNumber: true,
      cell: (at) => (lines.hits[order[at]] > 0 ? formatCount(lines.hits[order[at]]) : ''),
    },
  ];
  const csv = () =>
    saveCsv(
      [
        ['place', 'function', 'increment_bytes', 'memory_bytes', 'peak_bytes', 'temporary_bytes', 'hits'],
        ...Array.from(order, (row) => [
          placeOf(tables, lines.function[row], lines.line[row]),
          nameOf(tables, lines.function[row]),
          increment[row],
          memory[row],
          lines.peak?.[row] ?? '',
          lines.temporary?.[row] ?? '',
          lines.hits[row],
        ]),
      ],
      'memory-lines.csv',
    );
  return (
    <section>
      <div class="toolbar">
        <h2>What each line added</h2>
        <span class="end" />
        <button type="button" onClick={csv}>
          Save CSV
        </button>
      </div>
      <VirtualTable
        label="Memory by line"
        columns={columns}
        rowCount={order.length}
        sorting={sorting}
        onSort={(column) => setSorting(toggleSort(sorting, column))}
        selected={selected}
        onSelect={setSelected}
        onOpen={(at) =>
          goTo('source', { function: lines.function[order[at]], line: lines.line[order[at]], file: null })
        }
        height="clamp(200px, 42vh, 560px)"
      />
    </section>
  );
}
