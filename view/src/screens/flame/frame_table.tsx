// The same content as the picture, as a table.
import { useMemo, useState } from 'preact/hooks';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import type { Tables } from '../../data/types';
import type { Range } from '../../parts/range';
import { VirtualTable, type Column, type Sorting } from '../../parts/virtual_table';
import { framesInSight, sortFrames } from './frame_rows';
import { levelOf, type Subtree } from './levels';
import type { Picture } from './state';

const NARROWEST = 1 / 2000; // of the picture's width

export function FrameTable(props: {
  picture: Picture;
  tables: Tables;
  shown: Subtree;
  depth: number;
  view: Range;
  selected: number;
  isInverted: boolean;
  onSelect: (row: number) => void;
  onOpen: (row: number) => void;
}) {
  const { picture, tables, shown, depth, view } = props;
  const { frames, whole, unit } = picture;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const found = useMemo(
    () => framesInSight(frames, shown, depth, view, NARROWEST),
    [frames, shown, depth, view],
  );
  const rows = useMemo(() => sortFrames(found.rows, frames, tables, sorting), [found, sorting]);
  const selected = useMemo(() => rows.indexOf(props.selected), [rows, props.selected]);
  const value = (of: Float64Array) => (at: number) =>
    `${formatValue(of[rows[at]], unit)} (${formatShare(shareOf(of[rows[at]], whole))})`;
  const columns: Column[] = [
    {
      id: 'level',
      title: 'Level',
      width: '52px',
      isNumber: true,
      isSortable: false,
      cell: (at) => levelOf(frames, rows[at]) + 1,
    },
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(120px, 3fr)',
      cell: (at) => <code>{nameOf(tables, frames.function[rows[at]])}</code>,
    },
    {
      id: 'place',
      title: 'Place',
      width: 'minmax(90px, 2fr)',
      cell: (at) => placeOf(tables, frames.function[rows[at]]),
    },
    {
      id: 'total',
      title: props.isInverted ? 'Came this way' : 'Total',
      width: '130px',
      isNumber: true,
      cell: value(frames.total),
    },
  ];
  if (!props.isInverted) {
    columns.push({ id: 'self', title: 'Own', width: '130px', isNumber: true, cell: value(frames.self) });
  }
  const onSort = (column: string) => {
    const isNumber = column === 'total' || column === 'self';
    if (sorting?.column !== column) setSorting({ column, isDescending: isNumber });
    else if (sorting.isDescending === isNumber) setSorting({ column, isDescending: !isNumber });
    else setSorting(null);
  };
  return (
    <div class="flame-table">
      <VirtualTable
        label="Frames in sight"
        columns={columns}
        rowCount={rows.length}
        rowKey={(at) => rows[at]}
        {...(sorting && { sorting })}
        onSort={onSort}
        selected={selected}
        onSelect={(at) => props.onSelect(rows[at])}
        onOpen={(at) => props.onOpen(rows[at])}
      />
      {found.narrower && <p class="note">Boxes too narrow to see are not listed; zoom in to list them.</p>}
    </div>
  );
}
