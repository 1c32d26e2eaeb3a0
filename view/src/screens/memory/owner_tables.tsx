// Whose memory it is: by line, by function, by what was measured around functions.
import { useMemo, useState } from 'preact/hooks';
import { goTo, param, setParams } from '../../app/address';
import type { LineValues, Metric, Tables } from '../../data/types';
import {
  formatCount,
  formatDuration,
  formatShare,
  formatValue,
  nameOf,
  placeOf,
  shareOf,
} from '../../model/format';
import { makeFunctionRows } from '../../model/functions';
import { hottestLines } from '../../model/lines';
import type { CallTree } from '../../model/types';
import { Bar } from '../../parts/bar';
import { saveCsv } from '../../parts/download';
import { processName } from '../../parts/process_names';
import { Segmented } from '../../parts/segmented';
import { sortedRows, toggleSort } from '../../parts/sorted_rows';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import type { MarkedFunction } from './memory_curves';

const HEIGHT = 'clamp(200px, 42vh, 560px)';
const MOST_LINES = 2000;

const signedBytes = (bytes: number) => `${bytes > 0 ? '+' : ''}${formatValue(bytes, 'bytes')}`;

// Lines that memory_profiler measured.
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
      hits: (row) => lines.hits[row],
      place: (row) => lines.function[row] * 1e7 + lines.line[row],
    };
    return sortedRows(lines.line.length, keys[sorting.column] ?? keys['increment'], sorting.isDescending);
  }, [lines, sorting]);
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
        ['place', 'function', 'increment_bytes', 'memory_bytes', 'hits'],
        ...Array.from(order, (row) => [
          placeOf(tables, lines.function[row], lines.line[row]),
          nameOf(tables, lines.function[row]),
          increment[row],
          memory[row],
          lines.hits[row],
        ]),
      ],
      'memory-lines.csv',
    );
  return (
    <section>
      <div class="toolbar">
        <h2>Lines that were measured</h2>
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
        height={HEIGHT}
      />
    </section>
  );
}

interface OwnerRow {
  readonly function: number;
  readonly line: number; // 0: all of the function
  readonly self: number;
  readonly total: number;
}

function ownersOf(tree: CallTree, tables: Tables, isByLine: boolean): OwnerRow[] {
  if (isByLine) return hottestLines(tree, tables, MOST_LINES);
  const rows = makeFunctionRows(tree);
  return Array.from(rows.function, (fn, i) => ({
    function: fn,
    line: 0,
    self: rows.self[i],
    total: rows.total[i],
  }))
    .filter((row) => row.self > 0 || row.total > 0)
    .sort((a, b) => b.self - a.self || b.total - a.total);
}

// Bytes by call path: who allocated them.
export function Owners(props: { found: readonly { metric: Metric; tree: CallTree }[]; tables: Tables }) {
  const { found, tables } = props;
  const wanted = param('memory-metric').value;
  const { metric, tree } = found.find((each) => each.metric.name === wanted) ?? found[0];
  const isByLine = param('memory-by').value !== 'function';
  const [selected, setSelected] = useState(-1);
  const rows = useMemo(() => ownersOf(tree, tables, isByLine), [tree, tables, isByLine]);
  const largest = rows[0]?.self ?? 0;
  const isSum = metric.combine === 'sum';
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(140px, 2fr)',
      cell: (at) => <span class="mono">{nameOf(tables, rows[at].function)}</span>,
    },
    {
      id: 'place',
      title: 'Where',
      width: 'minmax(110px, 1fr)',
      cell: (at) => (
        <span class="mono">{placeOf(tables, rows[at].function, rows[at].line || undefined)}</span>
      ),
    },
    {
      id: 'self',
      title: 'Itself',
      width: '96px',
      isNumber: true,
      cell: (at) => formatValue(rows[at].self, 'bytes'),
    },
    {
      id: 'bar',
      title: 'Compared',
      width: 'minmax(80px, 1fr)',
      cell: (at) => <Bar pieces={[{ id: 'accent', share: shareOf(rows[at].self, largest) }]} />,
    },
    ...(isSum
      ? [
          {
            id: 'share',
            title: 'Share',
            width: '70px',
            isNumber: true,
            cell: (at: number) => formatShare(shareOf(rows[at].self, tree.whole)),
          },
          {
            id: 'total',
            title: 'With callees',
            width: '110px',
            isNumber: true,
            cell: (at: number) => formatValue(rows[at].total, 'bytes'),
          },
        ]
      : []),
  ];
  return (
    <section>
      <div class="toolbar">
        <h2>{`Who owns it: ${metric.label}`}</h2>
        {found.length > 1 && (
          <Segmented
            label="Bytes"
            value={metric.name}
            choices={found.map((each) => ({ value: each.metric.name, label: each.metric.label }))}
            onChange={(name) => setParams({ 'memory-metric': name })}
          />
        )}
        <Segmented
          label="Rows"
          value={isByLine ? 'line' : 'function'}
          choices={[
            { value: 'line', label: 'By line' },
            { value: 'function', label: 'By function' },
          ]}
          onChange={(by) => setParams({ 'memory-by': by === 'function' ? by : null })}
        />
        <span class="end" />
        <button
          type="button"
          onClick={() =>
            saveCsv(
              [
                ['function', 'place', 'bytes', 'bytes_with_callees'],
                ...rows.map((row) => [
                  nameOf(tables, row.function),
                  placeOf(tables, row.function, row.line || undefined),
                  row.self,
                  row.total,
                ]),
              ],
              'memory-owners.csv',
            )
          }
        >
          Save CSV
        </button>
      </div>
      <VirtualTable
        label={`${metric.label} by ${isByLine ? 'line' : 'function'}`}
        columns={columns}
        rowCount={rows.length}
        selected={selected}
        onSelect={setSelected}
        onOpen={(at) =>
          goTo('source', { function: rows[at].function, line: rows[at].line || null, file: null })
        }
        height={HEIGHT}
      />
    </section>
  );
}

// Functions that mprof measured at both ends.
export function MarkedTable(props: { rows: readonly MarkedFunction[]; tables: Tables }) {
  const { rows, tables } = props;
  const [selected, setSelected] = useState(-1);
  const bytes = (id: string, title: string, of: (row: MarkedFunction) => string): Column => ({
    id,
    title,
    width: '104px',
    isNumber: true,
    cell: (at) => of(rows[at]),
  });
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(140px, 2fr)',
      cell: (at) => <span class="mono">{rows[at].name}</span>,
    },
    bytes('increment', 'Added', (row) => signedBytes(row.increment)),
    bytes('largest', 'Most in a call', (row) => signedBytes(row.largest)),
    bytes('before', 'Before', (row) => formatValue(row.before, 'bytes')),
    bytes('after', 'After', (row) => formatValue(row.after, 'bytes')),
    bytes('calls', 'Calls', (row) => formatCount(row.calls)),
    bytes('time', 'Time', (row) => formatDuration(row.duration * 1e9)),
    {
      id: 'process',
      title: 'Process',
      width: 'minmax(90px, 1fr)',
      cell: (at) => processName(tables, rows[at].process),
    },
  ];
  return (
    <section>
      <h2>Functions measured at their start and end</h2>
      <VirtualTable
        label="Memory that functions added"
        columns={columns}
        rowCount={rows.length}
        selected={selected}
        onSelect={setSelected}
        height={`${Math.min(8, rows.length) * 28 + 36}px`}
      />
    </section>
  );
}
