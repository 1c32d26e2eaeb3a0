// Memory over time: heap and resident, the peak, the limit, and the moment that was chosen.
import { useMemo, useRef } from 'preact/hooks';
import { setParams } from '../../app/address';
import { setTimeRange } from '../../app/scope';
import { summary } from '../../app/store';
import type { MemoryCurve, MemoryOfRun } from '../../data/memory';
import { NONE, type Tables } from '../../data/types';
import { formatBytes, formatCount, formatDuration } from '../../model/format';
import { linearAxis, timeAxis, type Curve } from '../../parts/chart_scale';
import { saveCsv } from '../../parts/download';
import { LineChart, saveChart } from '../../parts/line_chart';
import { MenuButton } from '../../parts/menu';
import { chosenMoment } from './load';
import { curveName, limitOf, peaksOf } from './memory_words';

const OF_ONE = { heap: 'python', resident: 'gil-wait' };
const TOGETHER = { heap: 'ink', resident: 'faint' };
const OF_EACH = ['python', 'gil-wait', 'io', 'mpi', 'native', 'lock-wait', 'runnable', 'sleep'];
const HIGHEST_LIMIT = 2.5; // times the peak: beyond it, the line would press the curves to the floor
const HEADROOM = 1.1; // for the name of the peak
const SECOND = 1e9;

// Of several processes one curve each, the heap where it is known.
export function drawnCurves(memory: MemoryOfRun): { curve: MemoryCurve; colour: string }[] {
  const { curves } = memory;
  const kind = (curve: MemoryCurve) => (curve.isHeap ? 'heap' : 'resident');
  const together = curves.filter((curve) => curve.process === NONE);
  if (together.length === 0) return curves.map((curve) => ({ curve, colour: OF_ONE[kind(curve)] }));
  const hasHeap = curves.some((curve) => curve.isHeap);
  const each = curves.filter((curve) => curve.process !== NONE && curve.isHeap === hasHeap);
  return [
    ...together.map((curve) => ({ curve, colour: TOGETHER[kind(curve)] })),
    ...each.map((curve, i) => ({ curve, colour: OF_EACH[i % OF_EACH.length] })),
  ];
}

function curveRows(memory: MemoryOfRun, tables: Tables): (string | number)[][] {
  const rows: (string | number)[][] = [['curve', 'seconds', 'bytes']];
  for (const curve of memory.curves) {
    const name = curveName(tables, curve);
    curve.time.forEach((time, i) => rows.push([name, time, curve.bytes[i]]));
  }
  return rows;
}

function hintsOf(memory: MemoryOfRun, hasTime: boolean): string {
  const hints = [];
  if (memory.curvesLeftOut > 0) {
    hints.push(`${formatCount(memory.curvesLeftOut)} more processes, which had less, are not drawn.`);
  }
  if (memory.live.moments.length > 0) {
    hints.push('Click to see what was live at a moment; by keyboard, arrows and Enter.');
  }
  if (hasTime) hints.push('Drag over a stretch of time to look at it on all screens.');
  return hints.join(' ');
}

export function MemoryChart(props: { memory: MemoryOfRun; tables: Tables }) {
  const { memory, tables } = props;
  const svg = useRef<SVGSVGElement | null>(null);
  const peaks = peaksOf(memory);
  const shown = useMemo(() => {
    const drawn = drawnCurves(memory);
    const most = drawn.reduce((a, { curve }) => curve.bytes.reduce((b, c) => Math.max(b, c), a), 0);
    const end = drawn.reduce((a, { curve }) => Math.max(a, curve.time.at(-1) ?? 0), memory.duration);
    const highest = Math.max(most, peaks.heap?.bytes ?? 0);
    const limit = limitOf(memory);
    const hasLimit = limit !== null && limit.bytes <= HIGHEST_LIMIT * highest;
    const curves = drawn.map(({ curve, colour }): Curve => {
      return { name: curveName(tables, curve), colour, x: curve.time, y: curve.bytes };
    });
    if (hasLimit) {
      const level = Float64Array.of(limit.bytes, limit.bytes);
      curves.push({
        name: limit.label,
        colour: 'runnable',
        isDashed: true,
        x: Float64Array.of(0, end),
        y: level,
      });
    }
    const top = hasLimit ? Math.max(limit.bytes, highest) : highest;
    return { curves, x: timeAxis(0, end, 8), y: linearAxis(0, HEADROOM * top || 1, 5, 1024) };
  }, [memory, tables]);
  const peak = peaks.heap ?? peaks.resident;
  const hasTime = summary.value.value?.has.time ?? false;
  const hasLive = memory.live.moments.length > 0;
  const hints = hintsOf(memory, hasTime);
  const pick = (time: number) => setParams({ at: Number(time.toFixed(6)), 'memory-panel': 'moment' });
  return (
    <section class="card">
      <div class="chart-head">
        <h2>Memory over time</h2>
        <MenuButton
          label="Save"
          items={[
            { label: 'SVG', onPick: () => saveChart(svg.current, 'memory', false) },
            { label: 'PNG', onPick: () => saveChart(svg.current, 'memory', true) },
            { label: 'CSV', onPick: () => saveCsv(curveRows(memory, tables), 'memory.csv') },
          ]}
        />
      </div>
      <LineChart
        label="Memory over time."
        curves={shown.curves}
        x={shown.x}
        y={shown.y}
        xTitle="time since the start"
        formatX={(seconds) => formatDuration(seconds * SECOND)}
        formatY={formatBytes}
        marks={
          peak && Number.isFinite(peak.time)
            ? [{ x: peak.time, y: peak.bytes, text: `peak ${formatBytes(peak.bytes)}` }]
            : []
        }
        height={280}
        labelWidth={shown.curves.length > 1 ? 190 : 0}
        svgRef={(element) => {
          svg.current = element;
        }}
        picked={hasLive ? chosenMoment.value : null}
        {...(hasLive && { onPick: pick })}
        {...(hasTime && {
          onRange: (from: number, to: number) => {
            setTimeRange(from, to);
            if (hasLive) pick(to);
          },
        })}
      />
      {hints !== '' && <p class="note">{hints}</p>}
    </section>
  );
}
