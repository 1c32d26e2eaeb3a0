// The bars of ranks as a picture to point at; the table of ranks has the same figures.
import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { scope, setScope } from '../../app/scope';
import type { ParallelJob } from '../../data/parallel_job';
import type { Tables } from '../../data/types';
import { formatCount, visible } from '../../model/format';
import { fitCanvas } from '../../parts/canvas_size';
import { Tooltip, type TooltipContent } from '../../parts/tooltip';
import { useWidth } from '../../parts/use_width';
import { describeBar } from './bar_words';
import { barsHeight, columnAt, drawBars, readBarsColours, type BarsPicture } from './bars_draw';
import { makeTicks } from './heat_cells';
import { processesOfRanks } from './job';
import { hostRuns, makeBars, occurringParts, orderRanks, partsOf, ranksIn, type BarOrder } from './rank_bars';

const AXIS_WIDTH = 64;
const colours = computed(readBarsColours);

function BarsLegend(props: { job: ParallelJob; note: string; children?: ComponentChildren }) {
  const hasIdle = props.job.ranks.isIdle.some((idle) => idle === 1);
  const there = useMemo(() => occurringParts(partsOf(props.job.ranks)), [props.job]);
  return (
    <div class="legend">
      {there.map((part) => (
        <span key={part.token}>
          <i class={`part-${part.token}`} style={{ backgroundColor: `var(--${part.token})` }} />
          {part.words}
        </span>
      ))}
      {hasIdle && (
        <span>
          <i class="idle-mark" />
          idle rank
        </span>
      )}
      {props.note !== '' && <span>{props.note}</span>}
      {props.children}
    </div>
  );
}

function columnsNote(picture: BarsPicture): string {
  const { count } = picture.bars.columns;
  if (count >= picture.places) return '';
  return `A column is the mean of up to ${formatCount(Math.ceil(picture.places / count))} ranks; dark is up to the most useful time among them.`;
}

export function RankBarsPicture(props: {
  job: ParallelJob;
  tables: Tables;
  order: BarOrder;
  plotHeight: number;
  isSmall?: boolean;
  children?: ComponentChildren; // beside the legend
}) {
  const { job, tables, order, plotHeight, isSmall = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const [chosen, setCursor] = useState(-1);
  const [tip, setTip] = useState<TooltipContent | null>(null);
  const scoped = scope.value.processes;
  const axisWidth = isSmall ? 0 : AXIS_WIDTH;
  const still = useMemo(() => {
    const places = orderRanks(job.ranks, order);
    const pixels = Math.max(1, (width - axisWidth) * (devicePixelRatio || 1));
    const bars = makeBars(job.ranks, partsOf(job.ranks), places, pixels);
    const inScope = new Set(scoped ?? []);
    const isMarked = Uint8Array.from({ length: bars.columns.count }, (_, column) =>
      ranksIn(bars.columns, column).some((row) => inScope.has(job.ranks.process[row])) ? 1 : 0,
    );
    const nameAt = (place: number) => String(job.ranks.number[places[place]]);
    return {
      bars,
      places: places.length,
      isMarked,
      axisWidth,
      plotHeight,
      ticks: isSmall ? [] : makeTicks(places.length, width - axisWidth, nameAt),
      hosts: isSmall
        ? []
        : hostRuns(job.ranks, places, job.hosts.length).map((run) => ({
            ...run,
            name: visible(job.hosts[run.host].name),
          })),
    };
  }, [job, order, width, scoped, plotHeight, axisWidth, isSmall]);
  const cursor = chosen < still.bars.columns.count ? chosen : -1;
  const picture = useMemo(() => ({ ...still, cursor }), [still, cursor]);

  useLayoutEffect(() => {
    const ctx = canvas.current?.getContext('2d');
    if (!canvas.current || !ctx) return;
    const { scale } = fitCanvas(canvas.current, width, barsHeight(picture));
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    drawBars(ctx, picture, colours.value, width, scale);
  }, [picture, colours.value, width]);

  const pick = (column: number) => {
    if (column >= 0) {
      setScope({ processes: processesOfRanks(tables, job, ranksIn(picture.bars.columns, column)) });
    }
  };
  const pointed = (event: MouseEvent & { currentTarget: HTMLElement }) =>
    columnAt(picture, event.clientX - event.currentTarget.getBoundingClientRect().left, width);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = picture.bars.columns.count - 1;
    const places: Record<string, number> = {
      ArrowRight: Math.min(last, cursor + 1),
      ArrowLeft: Math.max(0, cursor - 1),
      Home: 0,
      End: last,
    };
    if (event.key in places) setCursor(places[event.key]);
    else if (event.key === 'Enter') pick(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words = cursor >= 0 ? describeBar(tables, job, picture.bars, cursor).join(', ') : '';
  return (
    <div class="rank-bars">
      <div class="bars-box" ref={box} onMouseLeave={() => setTip(null)}>
        <canvas
          ref={canvas}
          role="img"
          tabIndex={0}
          aria-label={`What the time of ${formatCount(job.ranks.count)} ranks went into, a bar for each; the table of ranks has the same figures. Arrow keys move, Enter shows only that rank on all screens. ${words}`}
          onMouseMove={(event) => {
            const column = pointed(event);
            const lines = column < 0 ? [] : describeBar(tables, job, picture.bars, column);
            setTip(lines.length > 0 ? { x: event.clientX, y: event.clientY, lines } : null);
          }}
          onClick={(event) => pick(pointed(event))}
          onKeyDown={onKeyDown}
        />
        <div class="visually-hidden" aria-live="polite">
          {words}
        </div>
        <Tooltip content={tip} />
      </div>
      <BarsLegend job={job} note={columnsNote(picture)}>
        {props.children}
      </BarsLegend>
    </div>
  );
}
