// Memory: how much there was at which time, and whose it was.
import { useMemo } from 'preact/hooks';
import { isScoped } from '../../app/scope';
import { summary, tables } from '../../app/store';
import type { Tables, TimelineValues } from '../../data/types';
import { formatDuration, formatValue } from '../../model/format';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { CurveTable, MemoryChart, peakOf } from './curves';
import { allocations, byteMetrics, lines, timeline } from './load';
import { markedFunctions, memoryCurves } from './memory_curves';
import { MarkedTable } from './marked_table';
import { MeasuredLines } from './measured_lines';
import { linesTitle, ownersTitle } from './memory_title';
import { Owners } from './owners';
import './memory.css';

function NothingMeasured() {
  return (
    <Empty title="No memory was measured in this profile">
      <p>
        Time is recorded here, not memory. Pyrometer opens what these tools write, with curves over time,
        lines that add memory, and who allocated it:
      </p>
      <Command
        text={
          'mprof run script.py\n' +
          'pyrometer view mprofile_*.dat         # memory over time\n\n' +
          'python -m memory_profiler script.py > memory.txt\n' +
          'pyrometer view memory.txt             # what each line added\n\n' +
          'memray run -o a.bin script.py\n' +
          'memray stats --json -o memory.json a.bin\n' +
          'pyrometer view memory.json            # who allocated it'
        }
      />
    </Empty>
  );
}

function OverTime(props: { timeline: TimelineValues; tables: Tables }) {
  const curves = useMemo(() => memoryCurves(props.timeline, props.tables), [props.timeline, props.tables]);
  const marked = useMemo(() => markedFunctions(props.timeline, props.tables), [props.timeline, props.tables]);
  const peak = useMemo(() => peakOf(curves), [curves]);
  return (
    <>
      {peak && (
        <>
          <h1>
            {`Peak ${formatValue(peak.value, 'bytes')} at ${formatDuration(peak.time * 1e9)}` +
              (curves.length > 1 ? ', all processes together' : '')}
          </h1>
          <MemoryChart curves={curves} tables={props.tables} end={props.timeline.to} />
          <CurveTable curves={curves} tables={props.tables} />
        </>
      )}
      {marked.length > 0 && <MarkedTable rows={marked} tables={props.tables} />}
    </>
  );
}

export function MemoryScreen() {
  const table = tables.value.value;
  const known = summary.value.value;
  if (!table || !known) return null;
  const hasLines = known.metrics.some((each) => each.name === 'increment');
  const hasOwners = byteMetrics.value.length > 0;
  if (!known.has.counters && !known.has.memory && !hasLines && !hasOwners) return <NothingMeasured />;
  const found = [timeline, lines, allocations];
  const errors = found.map((each) => each.error.value).filter((error) => error !== '');
  const isLoading = found.some((each) => each.isLoading.value);
  const overTime = timeline.value.value;
  const measured = lines.value.value;
  const owned = allocations.value.value;
  const hasCurve =
    overTime?.counters.some((counter) => counter.unit === 'bytes' && counter.time.length > 0) ?? false;
  const isEmpty = !isLoading && errors.length === 0 && !hasCurve && !measured?.increment && !owned?.length;
  if (isEmpty) return <NothingMeasured />;
  return (
    <div class="memory">
      {errors.map((error) => (
        <Failure key={error} message={error} />
      ))}
      {!hasCurve && measured?.increment && <h1>{linesTitle(measured, table)}</h1>}
      {!hasCurve && !measured?.increment && owned?.[0] && (
        <h1>{ownersTitle(owned[0].metric, owned[0].tree, table)}</h1>
      )}
      {overTime && hasCurve && <OverTime timeline={overTime} tables={table} />}
      {isScoped.value && hasCurve && (
        <p class="note">Curves always show the whole run; the restriction holds for the other screens.</p>
      )}
      {measured?.increment && <MeasuredLines lines={measured} tables={table} />}
      {owned && owned.length > 0 && <Owners found={owned} tables={table} />}
      {isLoading && <Loading what="Reading what is known about memory" />}
    </div>
  );
}
