// Curves as an SVG: it is drawn by the browser in the colours of the theme, saved as it is, and
// walked through with the arrow keys. A table with the same content belongs beside it.
import { useMemo, useRef, useState } from 'preact/hooks';
import { token } from '../app/theme';
import { curvePath, spreadLabels, valueAt, type ChartAxis, type Curve } from './chart_scale';
import { save, saveSvgAsPng } from './download';
import { Tooltip, type TooltipContent } from './tooltip';
import { useWidth } from './use_width';
import './line_chart.css';

export interface ChartMark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

const LEFT = 76;
const TOP = 14;
const BOTTOM = 40;
const LABEL_HEIGHT = 16;
const MOST_TOOLTIP_CURVES = 4;

interface ChartProps {
  readonly label: string;
  readonly curves: readonly Curve[];
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly xTitle: string;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
  readonly marks?: readonly ChartMark[];
  readonly height: number;
  readonly labelWidth: number; // at the right, for the names of the curves; 0: they are not named there
  readonly svgRef?: (svg: SVGSVGElement | null) => void;
  readonly onRange?: (from: number, to: number) => void; // a range was dragged
  readonly onPick?: (x: number) => void; // clicked, or Enter at the cursor
  readonly picked?: number | null; // marked along x
}

export function LineChart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 720);
  const [at, setAt] = useState<number | null>(null); // the cursor, a value along x
  const [tip, setTip] = useState<TooltipContent | null>(null);
  const [dragFrom, setDragFrom] = useState<number | null>(null);
  const right = width - props.labelWidth - 8;
  const bottom = props.height - BOTTOM;
  const across = (x: number) => LEFT + props.x.place(x) * (right - LEFT);
  const down = (y: number) => bottom - props.y.place(y) * (bottom - TOP);
  const points = props.curves[0]?.x ?? new Float64Array(0);

  // Moving the pointer must not write long paths anew.
  const paths = useMemo(
    () => props.curves.map((curve) => curvePath(curve, across, down)),
    [props.curves, props.x, props.y, width, props.height, props.labelWidth],
  );

  const wordsAt = (x: number): string[] => {
    const values = props.curves.map((curve) => ({ curve, value: valueAt(curve, x) }));
    const known = values.filter(({ value }) => !Number.isNaN(value)).sort((a, b) => b.value - a.value);
    const shown = known
      .slice(0, MOST_TOOLTIP_CURVES)
      .map(({ curve, value }) => `${curve.name}: ${props.formatY(value)}`);
    return [props.formatX(x), ...shown];
  };
  // The point of the first curve that is nearest to the pointer.
  const pointAt = (clientX: number): number => {
    const bounds = box.current?.getBoundingClientRect();
    const x = clientX - (bounds?.left ?? 0);
    let best = points[0] ?? props.x.from;
    for (const each of points) if (Math.abs(across(each) - x) < Math.abs(across(best) - x)) best = each;
    return best;
  };
  const move = (event: PointerEvent) => {
    if (points.length === 0) return;
    const x = pointAt(event.clientX);
    setAt(x);
    setTip({ x: event.clientX, y: event.clientY, lines: wordsAt(x) });
  };
  const drop = (event: PointerEvent) => {
    const from = dragFrom;
    setDragFrom(null);
    if (from === null) return;
    const to = pointAt(event.clientX);
    if (props.onRange && Math.abs(across(to) - across(from)) > 4) {
      props.onRange(Math.min(from, to), Math.max(from, to));
    } else {
      props.onPick?.(to);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && props.onPick && at !== null) {
      props.onPick(at);
      event.preventDefault();
      return;
    }
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -points.length,
      End: points.length,
    };
    const step = steps[event.key];
    if (step === undefined || points.length === 0) return;
    const now = at === null ? -1 : points.indexOf(at);
    setAt(points[Math.max(0, Math.min(points.length - 1, now + step))]);
    event.preventDefault();
    event.stopPropagation();
  };

  const colour = (name: string) => token(name) || '#888888';
  const named = props.labelWidth > 0 ? endLabels(props.curves, across, down, bottom) : [];
  return (
    <div class="chart" ref={box}>
      <svg
        {...(props.svgRef && { ref: props.svgRef })}
        xmlns="http://www.w3.org/2000/svg"
        viewBox={`0 0 ${width} ${props.height}`}
        width={width}
        height={props.height}
        role="img"
        tabindex={0} // an attribute of SVG: its name has no capitals
        aria-label={`${props.label} The table has the same figures. ${at === null ? '' : wordsAt(at).join(', ')}`}
        font-family="sans-serif"
        font-size="12"
        onKeyDown={onKeyDown}
        onPointerMove={move}
        onPointerDown={(event) => (props.onRange || props.onPick) && setDragFrom(pointAt(event.clientX))}
        onPointerUp={drop}
        onPointerLeave={() => {
          setAt(null);
          setTip(null);
          setDragFrom(null);
        }}
      >
        <rect width={width} height={props.height} fill={colour('panel')} />
        {props.y.ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={right} y1={down(tick)} y2={down(tick)} stroke={colour('line')} />
            <text x={LEFT - 8} y={down(tick) + 4} text-anchor="end" fill={colour('soft')}>
              {props.formatY(tick)}
            </text>
          </g>
        ))}
        {props.x.ticks.map((tick) => (
          <text key={tick} x={across(tick)} y={bottom + 18} text-anchor="middle" fill={colour('soft')}>
            {props.formatX(tick)}
          </text>
        ))}
        <text x={(LEFT + right) / 2} y={props.height - 5} text-anchor="middle" fill={colour('soft')}>
          {props.xTitle}
        </text>
        {dragFrom !== null && at !== null && props.onRange && (
          <rect
            x={Math.min(across(dragFrom), across(at))}
            width={Math.abs(across(at) - across(dragFrom))}
            y={TOP}
            height={bottom - TOP}
            fill={colour('accent')}
            opacity="0.15"
          />
        )}
        {props.curves.map((curve, i) => (
          <g key={curve.name}>
            <path
              d={paths[i]}
              fill="none"
              stroke={colour(curve.colour)}
              stroke-width={curve.isDashed ? 1.5 : 2}
              stroke-dasharray={curve.isDashed ? '5 4' : undefined}
            />
            {curve.hasDots &&
              Array.from(curve.x, (x, i) =>
                Number.isNaN(curve.y[i]) ? null : (
                  <circle key={x} cx={across(x)} cy={down(curve.y[i])} r="3.5" fill={colour(curve.colour)} />
                ),
              )}
          </g>
        ))}
        {named.map(({ curve, x, y, labelY, value }) => (
          <g key={curve.name}>
            <path
              d={`M${x + 6},${y}L${right + 12},${labelY}`}
              stroke={colour(curve.colour)}
              stroke-width="0.75"
              fill="none"
            />
            <text x={right + 16} y={labelY + 4} fill={colour('ink')}>
              {`${props.formatY(value)}  ${curve.name}`}
            </text>
          </g>
        ))}
        {props.marks?.map((mark) => (
          <g key={mark.text}>
            <circle
              cx={across(mark.x)}
              cy={down(mark.y)}
              r="4.5"
              fill="none"
              stroke={colour('ink')}
              stroke-width="2"
            />
            <text
              x={across(mark.x)}
              y={Math.max(12, down(mark.y) - 10)}
              text-anchor={
                props.x.place(mark.x) > 0.8 ? 'end' : props.x.place(mark.x) < 0.2 ? 'start' : 'middle'
              }
              fill={colour('ink')}
              font-weight="600"
            >
              {mark.text}
            </text>
          </g>
        ))}
        {props.picked !== null && props.picked !== undefined && (
          <line
            x1={across(props.picked)}
            x2={across(props.picked)}
            y1={TOP}
            y2={bottom}
            stroke={colour('accent')}
            stroke-width="2"
          />
        )}
        {at !== null && (
          <line
            x1={across(at)}
            x2={across(at)}
            y1={TOP}
            y2={bottom}
            stroke={colour('faint')}
            stroke-dasharray="2 3"
          />
        )}
      </svg>
      <div class="visually-hidden" aria-live="polite">
        {at !== null && tip === null ? wordsAt(at).join(', ') : ''}
      </div>
      <Tooltip content={tip} />
    </div>
  );
}

// Each curve is named at its end, so that nobody has to look up a colour.
function endLabels(
  curves: readonly Curve[],
  across: (x: number) => number,
  down: (y: number) => number,
  bottom: number,
) {
  const ends = curves.flatMap((curve) => {
    for (let i = curve.x.length - 1; i >= 0; --i) {
      const value = curve.y[i];
      if (!Number.isNaN(value)) return [{ curve, value, x: across(curve.x[i]), y: down(value) }];
    }
    return [];
  });
  const placed = spreadLabels(
    ends.map((end) => end.y),
    LABEL_HEIGHT,
    bottom,
  );
  return ends.map((end, i) => ({ ...end, labelY: placed[i] }));
}

export function saveChart(svg: SVGSVGElement | null, name: string, asPng: boolean): void {
  if (!svg) return;
  const text = new XMLSerializer().serializeToString(svg);
  if (asPng) saveSvgAsPng(text, svg.width.baseVal.value, svg.height.baseVal.value, `${name}.png`);
  else save(text, `${name}.svg`, 'image/svg+xml');
}
