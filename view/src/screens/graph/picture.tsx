// The call graph on the screen: drag to move, wheel or + and − to zoom, arrows from box to box.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TEXT, type Arrow, type Box, type Drawing, type Palette } from './drawing';
import { fit, fitAll, neighbourOf, reveal, zoom, type Place } from './pan_zoom';

const DRAG_PIXELS = 4;
const STEP = 60;

function Lines(props: { x: number; top: number; lines: readonly string[]; fill: string; isBox: boolean }) {
  return (
    <>
      {props.lines.map((line, i) => (
        <text
          key={i}
          x={props.x}
          y={props.top + (i + 1) * TEXT.line - 4}
          fill={props.fill}
          class={props.isBox && i === 0 ? 'name' : ''}
        >
          {line}
        </text>
      ))}
    </>
  );
}

function ArrowShape(props: { arrow: Arrow; ink: string; isStrong: boolean }) {
  const { arrow } = props;
  return (
    <g class={props.isStrong ? 'arrow on' : 'arrow'}>
      <path
        d={arrow.path}
        fill="none"
        stroke={arrow.colour}
        stroke-width={arrow.width}
        stroke-dasharray={arrow.isInCycle ? '6 3' : undefined}
      />
      <path d={arrow.head} fill={arrow.colour} />
      <Lines
        x={arrow.label.x}
        top={arrow.label.y - (arrow.lines.length * TEXT.line) / 2}
        lines={arrow.lines}
        fill={props.ink}
        isBox={false}
      />
    </g>
  );
}

function BoxShape(props: {
  box: Box;
  line: string;
  state: string;
  onSelect: () => void;
  onOpen: () => void;
}) {
  const { box } = props;
  return (
    <g class={`box ${props.state}`} onClick={props.onSelect} onDblClick={props.onOpen}>
      <title>{box.label.title}</title>
      <rect
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        rx="5"
        fill={box.fill}
        stroke={props.line}
      />
      <Lines
        x={box.x + box.width / 2}
        top={box.y + TEXT.padding - 2}
        lines={box.lines}
        fill={box.ink}
        isBox={true}
      />
    </g>
  );
}

export function Picture(props: {
  drawing: Drawing;
  palette: Palette;
  selected: number | null; // a function
  matches: Uint8Array | null; // functions the search has found
  onSelect: (fn: number | null) => void;
  onOpen: (fn: number) => void;
}) {
  const { drawing, palette, selected, matches } = props;
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>({ x: 0, y: 0, scale: 1 });
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const size = () => ({ width: box.current?.clientWidth ?? 0, height: box.current?.clientHeight ?? 0 });
  const showAll = () => setPlace(fitAll(drawing, size()));
  const at = drawing.boxes.findIndex((each) => each.function === selected);

  useLayoutEffect(
    () => setPlace(fit(drawing, drawing.boxes[drawing.hottest], size())),
    [drawing.width, drawing.height, drawing.boxes.length],
  );
  useEffect(() => {
    if (at >= 0) setPlace((now) => reveal(now, drawing.boxes[at], size()));
  }, [selected, drawing.width]);
  // Not passive: the page must not scroll while the picture zooms.
  useEffect(() => {
    const target = box.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const bounds = target!.getBoundingClientRect();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015));
      setPlace((now) => zoom(now, factor, event.clientX - bounds.left, event.clientY - bounds.top));
    };
    target?.addEventListener('wheel', onWheel, { passive: false });
    return () => target?.removeEventListener('wheel', onWheel);
  }, []);

  const zoomBy = (factor: number) =>
    setPlace((now) => zoom(now, factor, size().width / 2, size().height / 2));
  const moveBy = (x: number, y: number) => setPlace((now) => ({ ...now, x: now.x + x, y: now.y + y }));
  const walk = (dx: number, dy: number) => {
    const next = at < 0 ? 0 : neighbourOf(drawing.boxes, at, dx, dy);
    if (next >= 0 && next < drawing.boxes.length) props.onSelect(drawing.boxes[next].function);
  };
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoomBy(1.25),
    '=': () => zoomBy(1.25),
    '-': () => zoomBy(0.8),
    '0': showAll,
    w: () => moveBy(0, STEP),
    s: () => moveBy(0, -STEP),
    a: () => moveBy(STEP, 0),
    d: () => moveBy(-STEP, 0),
    ArrowUp: () => walk(0, -1),
    ArrowDown: () => walk(0, 1),
    ArrowLeft: () => walk(-1, 0),
    ArrowRight: () => walk(1, 0),
    Enter: () => {
      if (selected !== null) props.onOpen(selected);
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  };
  const stateOf = (fn: number) =>
    `${fn === selected ? 'on' : ''} ${matches && matches[fn] === 0 ? 'dim' : ''}`;

  return (
    <div
      ref={box}
      class="graph-picture"
      role="group"
      tabIndex={0}
      aria-label="Call graph. Arrows move from function to function, Enter opens the source, plus and minus zoom. The table has the same content."
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, y: event.clientY, moved: false };
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (!from || event.buttons === 0) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (!from.moved && Math.hypot(dx, dy) < DRAG_PIXELS) return;
        if (!from.moved) event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY, moved: true };
        moveBy(dx, dy);
      }}
      onPointerUp={(event) => {
        if (event.target instanceof SVGSVGElement && !drag.current?.moved) props.onSelect(null);
        drag.current = null;
      }}
    >
      <svg width="100%" height="100%" aria-hidden="true">
        <g transform={`translate(${place.x} ${place.y}) scale(${place.scale})`}>
          {drawing.arrows.map((arrow, i) => (
            <ArrowShape
              key={i}
              arrow={arrow}
              ink={palette.ink}
              isStrong={at >= 0 && (arrow.from === at || arrow.to === at)}
            />
          ))}
          {drawing.boxes.map((each) => (
            <BoxShape
              key={each.function}
              box={each}
              line={palette.line}
              state={stateOf(each.function)}
              onSelect={() => props.onSelect(each.function)}
              onOpen={() => props.onOpen(each.function)}
            />
          ))}
        </g>
      </svg>
      <div class="zoom">
        <button type="button" aria-label="Larger" onClick={() => zoomBy(1.25)}>
          +
        </button>
        <button type="button" aria-label="Smaller" onClick={() => zoomBy(0.8)}>
          −
        </button>
        <button type="button" aria-label="Show all" title="Show all (0)" onClick={showAll}>
          ⤢
        </button>
      </div>
    </div>
  );
}
