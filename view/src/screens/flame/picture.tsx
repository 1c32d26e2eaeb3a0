// The canvas of a flame picture with its pointer and keys. Draws what it is given; what a click means
// is decided by whoever uses it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Tooltip, type TooltipContent } from '../../parts/tooltip';
import type { Range } from '../../parts/range';
import { subtreeOf } from './levels';
import { moveFrom, type Move } from './moves';
import { axisHeight, contentHeight, ROW_HEIGHT, type Scene } from './scene';
import { FlameStage } from './stage';

export interface PictureProps extends Omit<Scene, 'shown'> {
  readonly root: number; // the frame that fills it; -1: everything
  readonly label: string; // for screen readers
  readonly describedBy?: string;
  readonly tooltip: (row: number) => readonly string[];
  readonly onSelect: (row: number) => void;
  readonly onZoomInto: (row: number) => void;
  readonly onZoomOut: () => boolean; // false: there is nothing to go up to
  readonly onOpen: (row: number) => void;
  readonly onMenu: (row: number, x: number, y: number) => void;
  readonly onView?: (view: Range) => void;
  readonly onCanvas?: (canvas: HTMLCanvasElement) => void;
}

const DRAG_BEGINS = 4; // pixels
const ZOOM_STEP = 0.75;
const PAN_STEP = 0.1; // of the width

const SIDEWAYS: Readonly<Record<string, Move>> = {
  ArrowLeft: 'before',
  ArrowRight: 'after',
  Home: 'first',
  End: 'last',
};

export function FlamePicture(props: PictureProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<FlameStage | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [tip, setTip] = useState<TooltipContent | null>(null);
  const { frames, root, shape } = props;
  const shown = useMemo(() => subtreeOf(frames, root), [frames, root]);
  const scene: Scene = { ...props, shown };

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !canvas.current) return undefined;
    const made = new FlameStage(canvas.current, (view) => latest.current.onView?.(view));
    stage.current = made;
    latest.current.onCanvas?.(canvas.current);
    const observer = new ResizeObserver(() => made.resize(box.clientWidth, box.clientHeight));
    observer.observe(box);
    made.resize(box.clientWidth, box.clientHeight);
    return () => {
      observer.disconnect();
      made.stop();
    };
  }, []);

  useLayoutEffect(() => stage.current?.show(scene));

  // Flames begin at the ground, icicles at the ceiling.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    box.scrollTop = shape === 'flame' ? box.scrollHeight : 0;
    stage.current?.scrollTo(box.scrollTop);
  }, [frames, root, shape]);

  useEffect(() => {
    const box = scroller.current;
    if (!box || !stage.current || props.selected < 0) return;
    const top = stage.current.reveal(props.selected);
    if (top !== box.scrollTop) box.scrollTop = top;
  }, [props.selected, frames]);

  useWheel(scroller, stage, shape === 'sunburst');
  const pointer = usePointer(props, scroller, stage, setTip);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !stage.current) return;
    if (!pressKey(event, props, scene, stage.current)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={scroller}
      class="flame-scroller"
      onScroll={(event) => stage.current?.scrollTo(event.currentTarget.scrollTop)}
    >
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={props.label}
        aria-describedby={props.describedBy}
        onKeyDown={onKeyDown}
        {...pointer}
      />
      {shape !== 'sunburst' && (
        <div
          aria-hidden="true"
          class="flame-height"
          style={{ height: `${contentHeight(scene) + axisHeight(scene)}px` }}
        />
      )}
      <Tooltip content={tip} />
    </div>
  );
}

type Ref<T> = { readonly current: T | null };

// Passive listeners could not keep the page from scrolling, so this one is added by hand.
function useWheel(scroller: Ref<HTMLDivElement>, stage: Ref<FlameStage>, isStill: boolean): void {
  useEffect(() => {
    const box = scroller.current;
    if (!box || isStill) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.shiftKey) {
        // Browsers make a sideways movement of it, which is not what is wanted here.
        box.scrollBy(0, (event.deltaY || event.deltaX) * unit);
        return;
      }
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        stage.current?.panBy(event.deltaX * unit);
        return;
      }
      const turn = Math.max(-240, Math.min(240, event.deltaY * unit));
      stage.current?.zoomAt(event.clientX - box.getBoundingClientRect().left, Math.exp(turn * 0.002));
    };
    box.addEventListener('wheel', onWheel, { passive: false });
    return () => box.removeEventListener('wheel', onWheel);
  }, [isStill]);
}

function usePointer(
  props: PictureProps,
  scroller: Ref<HTMLDivElement>,
  stage: Ref<FlameStage>,
  setTip: (tip: TooltipContent | null) => void,
) {
  const drag = useRef<{ x: number; y: number; isMoving: boolean } | null>(null);
  const wasDragged = useRef(false);
  const clicked = useRef(-1); // by the first click of two
  const rowAt = (event: MouseEvent) => {
    const bounds = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return stage.current?.frameAt(event.clientX - bounds.left, event.clientY - bounds.top) ?? -1;
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      drag.current = { x: event.clientX, y: event.clientY, isMoving: false };
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const from = drag.current;
      if (from) {
        const across = event.clientX - from.x;
        const down = event.clientY - from.y;
        if (!from.isMoving && Math.hypot(across, down) < DRAG_BEGINS) return;
        setTip(null);
        stage.current?.panBy(-across);
        scroller.current?.scrollBy(0, -down);
        drag.current = { x: event.clientX, y: event.clientY, isMoving: true };
        return;
      }
      const row = rowAt(event);
      stage.current?.hover(row);
      setTip(row < 0 ? null : { x: event.clientX, y: event.clientY, lines: props.tooltip(row) });
    },
    onPointerUp() {
      wasDragged.current = drag.current?.isMoving ?? false;
      drag.current = null;
    },
    onClick(event: MouseEvent) {
      // The first click of two makes another picture: the second one would hit something else.
      if (wasDragged.current || event.detail > 1) return;
      const row = rowAt(event);
      clicked.current = row;
      setTip(null);
      if (row < 0) return;
      if (row === props.root) props.onZoomOut();
      else props.onZoomInto(row);
      props.onSelect(row);
    },
    onDblClick() {
      if (clicked.current >= 0) props.onOpen(clicked.current);
    },
    onPointerCancel() {
      drag.current = null;
    },
    onPointerLeave() {
      stage.current?.hover(-1);
      setTip(null);
    },
    onContextMenu(event: MouseEvent) {
      event.preventDefault();
      const row = rowAt(event);
      setTip(null);
      if (row < 0) return;
      props.onSelect(row);
      props.onMenu(row, event.clientX, event.clientY);
    },
  };
}

// True: the key meant something.
function pressKey(event: KeyboardEvent, props: PictureProps, scene: Scene, stage: FlameStage): boolean {
  const { selected, shape } = props;
  const width = (event.currentTarget as HTMLElement).clientWidth;
  const upward: Move = shape === 'flame' ? 'callee' : 'caller';
  const downward: Move = shape === 'flame' ? 'caller' : 'callee';
  const move = event.key === 'ArrowUp' ? upward : event.key === 'ArrowDown' ? downward : SIDEWAYS[event.key];
  if (move) {
    const lastLevel = scene.shown.firstLevel + Math.min(scene.shown.depth, scene.depth) - 1;
    props.onSelect(moveFrom(scene.frames, scene.shown, lastLevel, selected, move));
    return true;
  }
  const scrolled = (event.currentTarget as HTMLElement).parentElement;
  switch (event.key) {
    case 'Enter':
      if (selected >= 0) props.onOpen(selected);
      return selected >= 0;
    case ' ':
      if (selected >= 0) props.onZoomInto(selected);
      return true;
    case 'Escape':
    case 'Backspace':
      return props.onZoomOut();
    case 'ContextMenu':
    case 'F10': {
      if (selected < 0 || (event.key === 'F10' && !event.shiftKey)) return false;
      const bounds = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const { x, y } = stage.placeOf(selected);
      props.onMenu(selected, bounds.left + x, bounds.top + y);
      return true;
    }
    case 'PageDown':
    case 'PageUp': {
      const page = (scrolled?.clientHeight ?? 0) - ROW_HEIGHT;
      scrolled?.scrollBy(0, event.key === 'PageDown' ? page : -page);
      return true;
    }
    case '+':
    case '=':
    case 'w':
      stage.zoomAt(width / 2, ZOOM_STEP);
      return true;
    case '-':
    case 's':
      stage.zoomAt(width / 2, 1 / ZOOM_STEP);
      return true;
    case 'a':
      stage.panBy(-width * PAN_STEP);
      return true;
    case 'd':
      stage.panBy(width * PAN_STEP);
      return true;
    case '0':
      stage.reset();
      props.onZoomInto(-1);
      return true;
    default:
      return false;
  }
}
