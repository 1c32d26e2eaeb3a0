// Bytes by call path: who allocated them.
import { useMemo, useState } from 'preact/hooks';
import { goTo, param, setParams } from '../../app/address';
import { searchMatches } from '../../app/store';
import type { Metric, Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { makeFunctionRows } from '../../model/functions';
import { hottestLines } from '../../model/lines';
import type { CallTree } from '../../model/types';
import { Bar } from '../../parts/bar';
import { saveCsv } from '../../parts/download';
import { Segmented } from '../../parts/segmented';
import { VirtualTable, type Column } from '../../parts/virtual_table';

const MOST_LINES = 2000;

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

export function Owners(props: { found: readonly { metric: Metric; tree: CallTree }[]; tables: Tables }) {
  const { found, tables } = props;
  const wanted = param('memory-metric').value;
  const { metric, tree } = found.find((each) => each.metric.name === wanted) ?? found[0];
  const isByLine = param('memory-by').value !== 'function';
  const [selected, setSelected] = useState(-1);
  const matches = searchMatches.value;
  const rows = useMemo(() => {
    const all = ownersOf(tree, tables, isByLine);
    return matches ? all.filter((row) => matches[row.function] === 1) : all;
  }, [tree, tables, isByLine, matches]);
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
        height="clamp(200px, 42vh, 560px)"
      />
    </section>
  );
}
