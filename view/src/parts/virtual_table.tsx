// A table of any number of rows, of which only those in sight are in the document.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useScrollView } from './use_scroll_view';

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly width: string; // as in grid-template-columns
  readonly isNumber?: boolean;
  readonly hint?: string;
  readonly isSortable?: boolean; // true unless said otherwise
  readonly cell: (row: number) => ComponentChildren;
}

export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

const ROW_HEIGHT = 28;
const SPARE_ROWS = 8;

export function VirtualTable(props: {
  label: string;
  columns: readonly Column[];
  rowCount: number;
  rowKey?: (row: number) => string | number;
  sorting?: Sorting;
  onSort?: (column: string) => void;
  selected?: number; // a row; -1: none
  onSelect?: (row: number) => void;
  onOpen?: (row: number) => void; // double click or Enter
  height?: string; // without it the table fills its flex container
}) {
  const body = useRef<HTMLDivElement>(null);
  const { view, measure } = useScrollView(body, 600);
  const selected = props.selected ?? -1;
  const template = props.columns.map((column) => column.width).join(' ');

  useEffect(() => {
    const box = body.current;
    if (!box || selected < 0) return;
    const top = selected * ROW_HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW_HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + ROW_HEIGHT - box.clientHeight;
    }
  }, [selected]);

  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - SPARE_ROWS);
  const last = Math.min(props.rowCount, Math.ceil((view.top + view.height) / ROW_HEIGHT) + SPARE_ROWS);
  const rows = [];
  for (let row = first; row < last; ++row) rows.push(row);

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -props.rowCount,
      End: props.rowCount,
    };
    const step = steps[event.key];
    if (step !== undefined && props.onSelect && props.rowCount > 0) {
      props.onSelect(Math.max(0, Math.min(props.rowCount - 1, selected + step)));
    } else if (event.key === 'Enter' && props.onOpen && selected >= 0) {
      props.onOpen(selected);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const sort = props.sorting;
  return (
    <div
      class="vtable"
      role={props.onSelect ? 'grid' : 'table'}
      aria-label={props.label}
      aria-rowcount={props.rowCount + 1}
      style={props.height ? { height: props.height } : { flex: 1 }}
    >
      <div role="rowgroup">
        <div class="head" role="row" style={{ gridTemplateColumns: template }}>
          {props.columns.map((column) => (
            <div
              key={column.id}
              role="columnheader"
              class={column.isNumber ? 'cell n' : 'cell'}
              title={column.hint}
              aria-sort={
                sort?.column === column.id ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
              }
            >
              {props.onSort && column.isSortable !== false ? (
                <button type="button" onClick={() => props.onSort?.(column.id)}>
                  {column.title}
                  {sort?.column === column.id ? (sort.isDescending ? ' ▾' : ' ▴') : ''}
                </button>
              ) : (
                column.title
              )}
            </div>
          ))}
        </div>
      </div>
      <div class="body" role="rowgroup" ref={body} tabIndex={0} onScroll={measure} onKeyDown={onKeyDown}>
        <div role="presentation" style={{ height: `${props.rowCount * ROW_HEIGHT}px` }} />
        {rows.map((row) => (
          <div
            key={props.rowKey?.(row) ?? row}
            role="row"
            aria-rowindex={row + 2}
            aria-selected={props.onSelect ? row === selected : undefined}
            class={row === selected ? 'row on' : 'row'}
            style={{ gridTemplateColumns: template, top: `${row * ROW_HEIGHT}px` }}
            onClick={() => props.onSelect?.(row)}
            onDblClick={() => props.onOpen?.(row)}
          >
            {props.columns.map((column) => (
              <div
                key={column.id}
                role={props.onSelect ? 'gridcell' : 'cell'}
                class={column.isNumber ? 'cell n' : 'cell'}
              >
                {column.cell(row)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
