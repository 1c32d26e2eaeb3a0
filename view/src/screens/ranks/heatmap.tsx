// Functions by ranks as a picture to point at. The table beside it has the same figures.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Tooltip, type TooltipContent } from '../../parts/tooltip';
import { useWidth } from '../../parts/use_width';
import { AXIS_HEIGHT, cellAt, drawAxis, drawRows, ROW_HEIGHT, type HeatColours } from './heat_draw';
import type { ColumnPicture } from './picture';

interface Cell {
  readonly row: number;
  readonly column: number;
}

function Legend(props: { colours: HeatColours; note: string }) {
  return (
    <p class="heat-legend">
      <span>nothing</span>
      <span class="scale" aria-hidden="true">
        {props.colours.ramp.map((colour) => (
          <i key={colour} style={{ background: colour }} />
        ))}
      </span>
      <span>the most</span>
      <span class="note">{props.note}</span>
    </p>
  );
}

type Cells = Omit<ColumnPicture, 'row' | 'column'>;

export function Heatmap(props: {
  label: string;
  colours: HeatColours;
  // The picture for a width; columns that are narrower than a pixel are combined.
  pictureFor: (width: number) => Cells;
  linesFor: (picture: Cells, cell: Cell) => readonly string[];
  noteFor: (picture: Cells) => string;
  selectedRow: number;
  onSelectRow: (row: number) => void;
  onPickColumn: (picture: Cells, column: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLCanvasElement>(null);
  const body = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const [chosen, setColumn] = useState(-1);
  const [tip, setTip] = useState<TooltipContent | null>(null);
  const { pictureFor } = props;
  const cells = useMemo(() => pictureFor(width), [pictureFor, width]);
  const column = chosen < cells.columns ? chosen : -1;
  const cursor = { row: props.selectedRow, column };
  const picture = useMemo(
    () => ({ ...cells, row: props.selectedRow, column }),
    [cells, props.selectedRow, column],
  );

  useLayoutEffect(() => {
    const draw = (canvas: HTMLCanvasElement | null, height: number, paint: typeof drawRows) => {
      const ctx = canvas?.getContext('2d');
      if (!canvas || !ctx) return;
      const ratio = devicePixelRatio || 1;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      ctx.scale(ratio, ratio);
      paint(ctx, picture, props.colours, width);
    };
    draw(axis.current, AXIS_HEIGHT, drawAxis);
    draw(body.current, Math.max(1, picture.rows) * ROW_HEIGHT, drawRows);
  }, [picture, props.colours, width]);

  useEffect(() => {
    const area = box.current;
    if (!area || props.selectedRow < 0) return;
    const top = props.selectedRow * ROW_HEIGHT;
    const room = area.clientHeight - AXIS_HEIGHT;
    if (top < area.scrollTop) area.scrollTop = top;
    else if (top + ROW_HEIGHT > area.scrollTop + room) area.scrollTop = top + ROW_HEIGHT - room;
  }, [props.selectedRow]);

  const cellOf = (event: MouseEvent & { currentTarget: HTMLElement }): Cell => {
    const bounds = event.currentTarget.getBoundingClientRect();
    return cellAt(picture, event.clientX - bounds.left, event.clientY - bounds.top, width);
  };
  const point = (event: MouseEvent & { currentTarget: HTMLElement }, isAxis: boolean) => {
    const found = cellOf(event);
    const cell = isAxis ? { row: -1, column: found.column } : found;
    const lines = cell.row < 0 && cell.column < 0 ? [] : props.linesFor(picture, cell);
    setTip(lines.length > 0 ? { x: event.clientX, y: event.clientY, lines } : null);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const rowSteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const columnSteps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -picture.columns,
      End: picture.columns,
    };
    const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    if (event.key in rowSteps) {
      props.onSelectRow(clamp(props.selectedRow + rowSteps[event.key], picture.rows));
    } else if (event.key in columnSteps) {
      setColumn(clamp(column + columnSteps[event.key], picture.columns));
    } else if (event.key === 'Enter' && column >= 0) {
      props.onPickColumn(picture, column);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const words = props.linesFor(picture, cursor).join(', ');
  return (
    <div class="heatmap-frame">
      <div class="heatmap" ref={box} onMouseLeave={() => setTip(null)}>
        <canvas
          ref={axis}
          class="axis"
          aria-hidden="true"
          onMouseMove={(event) => point(event, true)}
          onClick={(event) => {
            const cell = cellOf(event);
            if (cell.column >= 0) props.onPickColumn(picture, cell.column);
          }}
        />
        <canvas
          ref={body}
          role="img"
          tabIndex={0}
          aria-label={`${props.label} Arrow keys move, Enter shows only that rank. ${words}`}
          onMouseMove={(event) => point(event, false)}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const cell = cellOf(event);
            if (cell.row >= 0) props.onSelectRow(cell.row);
            setColumn(cell.column);
          }}
          onDblClick={(event) => {
            const cell = cellOf(event);
            if (cell.column >= 0) props.onPickColumn(picture, cell.column);
          }}
        />
        <div class="visually-hidden" aria-live="polite">
          {column >= 0 ? words : ''}
        </div>
        <Tooltip content={tip} />
      </div>
      <Legend colours={props.colours} note={props.noteFor(picture)} />
    </div>
  );
}
