// Functions whose memory was measured when they were called and when they returned, as mprof does.
import { useState } from 'preact/hooks';
import type { Tables } from '../../data/types';
import { formatCount, formatDuration, formatValue, visible } from '../../model/format';
import { processName } from '../../parts/process_names';
import { VirtualTable, type Column } from '../../parts/virtual_table';
import type { MarkedFunction } from './marked_functions';
import { signedBytes } from './signed_bytes';

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
      cell: (at) => <span class="mono">{visible(rows[at].name)}</span>,
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
