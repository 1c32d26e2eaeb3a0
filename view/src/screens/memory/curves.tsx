// Memory over time, with the peak marked and a table of all curves.
import { useMemo, useRef, useState } from 'preact/hooks';
import { setTimeRange } from '../../app/scope';
import { summary } from '../../app/store';
import type { Tables } from '../../data/types';
import { formatCount, formatDuration, formatValue } from '../../model/format';
import { linearAxis, timeAxis, type Curve } from '../../parts/chart_scale';
import { saveCsv } from '../../parts/download';
import { LineChart, saveChart } from '../../parts/line_chart';
import { MenuButton } from '../../parts/menu';
import { processName } from '../../parts/process_names';
import { VirtualTable, type Column } from '../../parts/virtual_table';
import { placeOfPeak, sumOfCurves, thinOut, type MemoryCurve } from './memory_curves';

const COLOURS = ['python', 'gil-wait', 'io', 'mpi', 'native', 'lock-wait'] as const;
const MOST_POINTS = 2000;
const SECOND = 1e9;

export function nameOfCurve(tables: Tables, curve: MemoryCurve, curves: readonly MemoryCurve[]): string {
  const process = tables.processes.count > 1 ? processName(tables, curve.process) : '';
  const isOnlyName = curves.every((each) => each.name === curve.name);
  return [process, isOnlyName && process !== '' ? '' : curve.name].filter(Boolean).join(' ');
}

export interface Peak {
  readonly time: number;
  readonly value: number;
}

// Of one process, or of all together.
export function peakOf(curves: readonly MemoryCurve[]): Peak | null {
  if (curves.length === 0) return null;
  const { time, value } = curves.length === 1 ? curves[0] : sumOfCurves(curves);
  const at = placeOfPeak(value);
  return { time: time[at], value: value[at] };
}

export function MemoryChart(props: { curves: readonly MemoryCurve[]; tables: Tables; end: number }) {
  const { curves, tables } = props;
  const svg = useRef<SVGSVGElement | null>(null);
  const drawn = useMemo((): Curve[] => {
    const shown = curves.slice(0, COLOURS.length).map((curve, i): Curve => {
      const { time, value } = thinOut(curve.time, curve.value, MOST_POINTS);
      return { name: nameOfCurve(tables, curve, curves), colour: COLOURS[i], x: time, y: value };
    });
    if (curves.length < 2) return shown;
    const sum = sumOfCurves(curves);
    const { time, value } = thinOut(sum.time, sum.value, MOST_POINTS);
    return [{ name: 'all together', colour: 'ink', x: time, y: value }, ...shown];
  }, [curves, tables]);
  const peak = useMemo(() => peakOf(curves), [curves]);
  const axes = useMemo(() => {
    const last = curves.reduce((end, curve) => Math.max(end, curve.time[curve.time.length - 1]), props.end);
    return { x: timeAxis(0, last, 8), y: linearAxis(0, peak?.value ?? 1, 5, 1024) };
  }, [curves, peak, props.end]);
  const hidden = curves.length - COLOURS.length;
  const hasTime = summary.value.value?.has.time ?? false;
  return (
    <section class="card">
      <div class="chart-head">
        <h2>Memory over time</h2>
        <MenuButton
          label="Save"
          items={[
            { label: 'SVG', onPick: () => saveChart(svg.current, 'memory', false) },
            { label: 'PNG', onPick: () => saveChart(svg.current, 'memory', true) },
            { label: 'CSV', onPick: () => saveCsv(curveRows(curves, tables), 'memory.csv') },
          ]}
        />
      </div>
      <LineChart
        label="Memory over time."
        curves={drawn}
        x={axes.x}
        y={axes.y}
        xTitle="time since the start"
        formatX={(seconds) => formatDuration(seconds * SECOND)}
        formatY={(bytes) => formatValue(bytes, 'bytes')}
        marks={
          peak ? [{ x: peak.time, y: peak.value, text: `peak ${formatValue(peak.value, 'bytes')}` }] : []
        }
        height={320}
        labelWidth={drawn.length > 1 ? 170 : 0}
        svgRef={(element) => {
          svg.current = element;
        }}
        {...(hasTime && { onRange: (from: number, to: number) => setTimeRange(from, to) })}
      />
      {(hidden > 0 || hasTime) && (
        <p class="note">
          {hidden > 0 ? `The ${COLOURS.length} largest of ${formatCount(curves.length)} are drawn. ` : ''}
          {hasTime ? 'Drag over a stretch of time to look at it on all screens.' : ''}
        </p>
      )}
    </section>
  );
}

function curveRows(curves: readonly MemoryCurve[], tables: Tables): (string | number)[][] {
  const rows: (string | number)[][] = [['curve', 'seconds', 'bytes']];
  for (const curve of curves) {
    const name = nameOfCurve(tables, curve, curves);
    curve.time.forEach((time, i) => rows.push([name, time, curve.value[i]]));
  }
  return rows;
}

export function CurveTable(props: { curves: readonly MemoryCurve[]; tables: Tables }) {
  const { curves, tables } = props;
  const [selected, setSelected] = useState(-1);
  const bytes = (title: string, id: string, of: (curve: MemoryCurve) => number): Column => ({
    id,
    title,
    width: '96px',
    isNumber: true,
    cell: (row) => formatValue(of(curves[row]), 'bytes'),
  });
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Curve',
      width: 'minmax(140px, 2fr)',
      cell: (row) => nameOfCurve(tables, curves[row], curves) || curves[row].name,
    },
    bytes('Peak', 'peak', (curve) => curve.value[curve.peak]),
    {
      id: 'at',
      title: 'At',
      width: '84px',
      isNumber: true,
      cell: (row) => formatDuration(curves[row].time[curves[row].peak] * SECOND),
    },
    bytes('At the start', 'first', (curve) => curve.value[0]),
    bytes('At the end', 'last', (curve) => curve.value[curve.value.length - 1]),
  ];
  return (
    <VirtualTable
      label="Memory of each process"
      columns={columns}
      rowCount={curves.length}
      selected={selected}
      onSelect={setSelected}
      height={`${Math.min(8, curves.length) * 28 + 36}px`}
    />
  );
}
