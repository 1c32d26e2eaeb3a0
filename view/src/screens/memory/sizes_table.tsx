// How large the blocks are that were allocated: the bars are the histogram, the rows its table.
import { useState } from 'preact/hooks';
import type { MemoryOfRun } from '../../data/memory';
import { formatBytes, formatCount, formatShare, shareOf } from '../../model/format';
import { Bar } from '../../parts/bar';
import { VirtualTable, type Column } from '../../parts/virtual_table';
import { sumOf } from './live_memory';

// "1.00 KiB to 2.00 KiB"
export function sizeWords(bits: number): string {
  if (bits === 0) return 'nothing';
  return `${formatBytes(2 ** (bits - 1))} to ${formatBytes(2 ** bits)}`;
}

export function SizesTable(props: { sizes: MemoryOfRun['sizes'] }) {
  const { bits, count } = props.sizes;
  const [selected, setSelected] = useState(-1);
  const whole = sumOf(count);
  const most = count.reduce((a, b) => Math.max(a, b), 0);
  const columns: Column[] = [
    { id: 'size', title: 'Size', width: '190px', isNumber: true, cell: (row) => sizeWords(bits[row]) },
    {
      id: 'count',
      title: 'Allocations',
      width: '110px',
      isNumber: true,
      cell: (row) => formatCount(count[row]),
    },
    {
      id: 'share',
      title: 'Share',
      width: '80px',
      isNumber: true,
      cell: (row) => formatShare(shareOf(count[row], whole)),
    },
    {
      id: 'bar',
      title: 'Compared',
      width: 'minmax(120px, 1fr)',
      cell: (row) => <Bar pieces={[{ id: 'accent', share: shareOf(count[row], most) }]} />,
    },
  ];
  return (
    <VirtualTable
      label="Sizes of blocks"
      columns={columns}
      rowCount={bits.length}
      selected={selected}
      onSelect={setSelected}
      height={`clamp(160px, ${bits.length * 28 + 40}px, 60vh)`}
    />
  );
}
