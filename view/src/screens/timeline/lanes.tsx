// The canvas of the timeline with its pointer and keys, beside the names of the tracks.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Tables, TimelineValues } from '../../data/types';
import { contextOf, fitCanvas } from '../../parts/canvas_size';
import { panRange, widthOf, zoomRange, type Range } from '../../parts/range';
import { Tooltip, type TooltipContent } from '../../parts/tooltip';
import { describeMoment } from './describe';
import { AXIS_HEIGHT, paintTimeline, type TimelineColours } from './paint_timeline';
import { regionAt, rowAt, type Row, type Rows } from './rows';

const DRAG_BEGINS = 4;
const ZOOM_STEP = 0.75;
const PAN_STEP = 0.1;

export interface LanesProps {
  readonly values: TimelineValues;
  readonly tables: Tables;
  readonly layout: Rows;
  readonly highest: number;
  readonly extent: Range;
  readonly view: Range;
  readonly range: Range | null;
  readonly colours: TimelineColours;
  readonly hint: string;
  readonly onView: (view: Range) => void;
  readonly onRange: (range: Range) => void;
  readonly onTrack: (row: Row) => void;
  readonly onRegion: (name: string) => void;
}

interface Drag {
  readonly x: number; // where it began, in the canvas
  readonly at: number; // the same in seconds
  readonly view: Range;
  readonly isPan: boolean;
  isMoving: boolean;
}

export function Lanes(props: LanesProps) {
  const { values, tables, layout, view, extent } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<Drag | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [size, setSize] = useState({ width: 600, height: 300 });
  const [scrollTop, setScrollTop] = useState(0);
  const [dragged, setDragged] = useState<Range | null>(null);
  const [tip, setTip] = useState<TooltipContent | null>(null);
  const [selected, setSelected] = useState(-1);

  useLayoutEffect(() => {
    const box = scroller.current;
    const area = canvas.current?.parentElement;
    if (!box || !area) return undefined;
    const measure = () => setSize({ width: area.clientWidth, height: box.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const context = canvas.current && contextOf(canvas.current);
    if (!canvas.current || !context) return;
    const area = { ...fitCanvas(canvas.current, size.width, size.height), scrollTop };
    const range = dragged ?? props.range;
    paintTimeline(context, { ...props, rows: layout.rows, range, selected }, area);
  }, [values, layout, view, size, scrollTop, dragged, props.range, props.colours, selected]);

  useEffect(() => {
    const area = canvas.current;
    if (!area) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = latest.current;
      const bounds = area.getBoundingClientRect();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.shiftKey) {
        scroller.current?.scrollBy(0, (event.deltaY || event.deltaX) * unit);
        return;
      }
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        now.onView(panRange(now.view, now.extent, (event.deltaX * unit * widthOf(now.view)) / bounds.width));
        return;
      }
      const at = now.view.left + ((event.clientX - bounds.left) / bounds.width) * widthOf(now.view);
      const turn = Math.max(-240, Math.min(240, event.deltaY * unit));
      now.onView(zoomRange(now.view, now.extent, at, Math.exp(turn * 0.002)));
    };
    area.addEventListener('wheel', onWheel, { passive: false });
    return () => area.removeEventListener('wheel', onWheel);
  }, []);

  const placeOf = (event: MouseEvent) => {
    const bounds = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top - AXIS_HEIGHT + scrollTop;
    const isAxis = event.clientY - bounds.top < AXIS_HEIGHT;
    return {
      x,
      y,
      at: view.left + (x / size.width) * widthOf(view),
      row: isAxis ? null : rowAt(layout.rows, y),
    };
  };
  const rangeOf = (from: Drag, at: number): Range => ({
    left: Math.max(extent.left, Math.min(from.at, at)),
    right: Math.min(extent.right, Math.max(from.at, at)),
  });

  const pointer = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      const { x, at } = placeOf(event);
      drag.current = { x, at, view, isPan: event.shiftKey, isMoving: false };
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const { x, y, at, row } = placeOf(event);
      const from = drag.current;
      if (!from) {
        const lines = row && describeMoment(values, tables, row, at, y - row.top);
        setTip(lines && { x: event.clientX, y: event.clientY, lines });
        return;
      }
      from.isMoving ||= Math.abs(x - from.x) >= DRAG_BEGINS;
      if (!from.isMoving) return;
      setTip(null);
      if (from.isPan) {
        props.onView(panRange(from.view, extent, ((from.x - x) / size.width) * widthOf(from.view)));
      } else {
        setDragged(rangeOf(from, at));
      }
    },
    onPointerUp(event: PointerEvent) {
      const from = drag.current;
      drag.current = null;
      setDragged(null);
      if (!from) return;
      const { y, at, row } = placeOf(event);
      if (from.isMoving) {
        if (!from.isPan) props.onRange(rangeOf(from, at));
        return;
      }
      const region = row ? regionAt(values, tables, row, at, y - row.top) : -1;
      if (region >= 0) props.onRegion(values.regions.names[values.regions.name[region]]);
      else setSelected(row ? layout.rows.indexOf(row) : -1);
    },
    onPointerCancel() {
      drag.current = null;
      setDragged(null);
    },
    onPointerLeave: () => setTip(null),
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const middle = (view.left + view.right) / 2;
    const pan = (share: number) => props.onView(panRange(view, extent, share * widthOf(view)));
    const zoom = (factor: number) => props.onView(zoomRange(view, extent, middle, factor));
    const select = (step: number) => {
      const next = Math.max(0, Math.min(layout.rows.length - 1, selected + step));
      setSelected(next);
      reveal(layout.rows[next]);
    };
    const actions: Readonly<Record<string, () => void>> = {
      w: () => zoom(ZOOM_STEP),
      '+': () => zoom(ZOOM_STEP),
      '=': () => zoom(ZOOM_STEP),
      s: () => zoom(1 / ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
      a: () => pan(-PAN_STEP),
      d: () => pan(PAN_STEP),
      ArrowLeft: () => pan(-PAN_STEP),
      ArrowRight: () => pan(PAN_STEP),
      ArrowUp: () => select(-1),
      ArrowDown: () => select(1),
      '0': () => props.onView(extent),
      Enter: () => {
        if (layout.rows[selected]) props.onTrack(layout.rows[selected]);
      },
    };
    const action = actions[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  };
  const reveal = (row: Row | undefined) => {
    const box = scroller.current;
    if (!box || !row) return;
    if (row.top < box.scrollTop) box.scrollTop = row.top;
    const below = row.top + row.height + AXIS_HEIGHT - box.scrollTop - box.clientHeight;
    if (below > 0) box.scrollTop += below;
  };
  const chosen = layout.rows[selected];

  return (
    <>
      <div
        ref={scroller}
        class="timeline-scroller"
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      >
        <TrackNames layout={layout} by={values.by} onTrack={props.onTrack} />
        <div class="timeline-lanes" style={{ height: `${layout.height + AXIS_HEIGHT}px` }}>
          <canvas
            ref={canvas}
            tabIndex={0}
            role="application"
            aria-label="Timeline. w and s zoom, a and d move, up and down choose a track, Enter shows only that one; the fields above choose a range, and the Table button shows the same as a table."
            aria-describedby="timeline-status"
            onKeyDown={onKeyDown}
            {...pointer}
          />
        </div>
        <Tooltip content={tip} />
      </div>
      <p class="timeline-status" id="timeline-status" role="status">
        {chosen
          ? `${chosen.name}${chosen.state && `, ${chosen.state}`}. Enter shows only this one.`
          : props.hint}
      </p>
    </>
  );
}

function TrackNames(props: { layout: Rows; by: 'thread' | 'process'; onTrack: (row: Row) => void }) {
  return (
    <ul class="timeline-names" style={{ height: `${props.layout.height + AXIS_HEIGHT}px` }}>
      {props.layout.rows.map((row) => (
        <li
          key={`${row.kind} ${row.index}`}
          style={{ top: `${row.top + AXIS_HEIGHT}px`, height: `${row.height}px` }}
        >
          {row.kind === 'track' ? (
            <button
              type="button"
              class="plain"
              title={`Show only ${row.name}`}
              onClick={() => props.onTrack(row)}
            >
              {row.name}
            </button>
          ) : (
            <span>{row.name}</span>
          )}
          {row.state && <small>{row.state}</small>}
        </li>
      ))}
    </ul>
  );
}
