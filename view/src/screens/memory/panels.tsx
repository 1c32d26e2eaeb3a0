// The tables below the curves, one at a time.
import { useMemo } from 'preact/hooks';
import { param, setParams } from '../../app/address';
import { scope } from '../../app/scope';
import type { MemoryOfRun } from '../../data/memory';
import type { LineValues, Tables } from '../../data/types';
import { formatBytes, formatCount, formatDuration } from '../../model/format';
import { Segmented, type Choice } from '../../parts/segmented';
import { GrowingTable } from './growing_table';
import { liveAt, snapshotBefore, sumOf } from './live_memory';
import { chosenMoment, isByFunction } from './load';
import { MeasuredLines } from './measured_lines';
import { peaksOf, spreadWords } from './memory_words';
import { figuresOf, momentFigures, PLACE_PANELS } from './place_panels';
import { placeRows } from './place_rows';
import { PlaceTable } from './place_table';
import { ProcessTable } from './process_table';
import { SizesTable } from './sizes_table';

const SECOND = 1e9;

// Those for which there is something to tell.
export function panelsOf(memory: MemoryOfRun | null, lines: LineValues | null): Choice<string>[] {
  const choices: Choice<string>[] = [];
  const add = (value: string, label: string) => choices.push({ value, label });
  if (memory) {
    const places = Object.entries(PLACE_PANELS).filter(([, panel]) => memory.total[panel.figure] > 0);
    const hasMoments = memory.live.moments.length > 0;
    for (const [id, panel] of places) {
      add(id, panel.label);
      if (id === 'peak' && hasMoments) add('moment', 'At a moment');
      if (id === 'live' && hasMoments) add('growing', `Growing (${formatCount(memory.growing.count)})`);
    }
    if (memory.sizes.bits.length > 0) add('sizes', 'Sizes');
    if (memory.processes.count > 0) add('processes', 'Processes');
  }
  if (lines?.increment) add('lines', 'Measured lines');
  return choices;
}

function ByPlace(props: { memory: MemoryOfRun; tables: Tables; id: string }) {
  const { memory, tables, id } = props;
  const panel = PLACE_PANELS[id];
  const { rows, figures } = useMemo(() => {
    const found = placeRows(memory, isByFunction.value).filter((row) => row.figures[panel.figure] > 0);
    const largest = found.reduce((most, row) => Math.max(most, row.figures[panel.figure]), 0);
    return { rows: found, figures: figuresOf(panel, memory, largest) };
  }, [memory, id, isByFunction.value]);
  const severalPeaks = id === 'peak' && memory.processes.count > 1;
  return (
    <>
      <h2>{panel.title}</h2>
      {severalPeaks && (
        <p class="note">
          {`Each process when it had most itself; the sum of the peaks is ${formatBytes(memory.total.peak)}.`}
        </p>
      )}
      <PlaceTable
        label={panel.title}
        metric={panel.figure}
        rows={rows}
        figures={figures}
        tables={tables}
        file={`memory-${id}.csv`}
      />
    </>
  );
}

function snapshotWords(moment: number | null): string {
  if (moment === null) return 'There was no snapshot yet.';
  const when = formatDuration(moment * SECOND);
  return `By the snapshot at ${when}, the last one until then. Lines with less than a thousandth of the heap are not in it.`;
}

function AtAMoment(props: { memory: MemoryOfRun; tables: Tables }) {
  const { memory, tables } = props;
  const { heap } = peaksOf(memory);
  const time = chosenMoment.value ?? (Number.isFinite(heap?.time) ? heap!.time : memory.duration);
  const since = scope.value.from;
  const { rows, figures, whole } = useMemo(() => {
    const live = liveAt(memory, time);
    const before = since === undefined ? null : liveAt(memory, since);
    const change = before ? live.map((bytes, i) => bytes - before[i]) : undefined;
    const found = placeRows(memory, isByFunction.value, live, change);
    const shown = found.filter((row) => row.live > 0 || row.change !== 0);
    const largest = shown.reduce((most, row) => Math.max(most, row.live), 0);
    const sum = sumOf(live);
    const sinceWords = since === undefined ? '' : formatDuration(since * SECOND);
    return { rows: shown, figures: momentFigures(sum, largest, sinceWords), whole: sum };
  }, [memory, time, since, isByFunction.value]);
  const title = `Live at ${formatDuration(time * SECOND)}: ${formatBytes(whole)}`;
  const setMoment = (event: Event) => {
    const text = (event.currentTarget as HTMLInputElement).value;
    setParams({ at: text === '' || Number(text) < 0 ? null : text });
  };
  return (
    <>
      <div class="moment">
        <h2>{title}</h2>
        <label>
          Moment in seconds{' '}
          <input
            type="number"
            min="0"
            max={memory.duration}
            step="any"
            value={Number(time.toFixed(3))}
            onChange={setMoment}
          />
        </label>
      </div>
      <PlaceTable
        key={since}
        metric="live"
        label={title}
        rows={rows}
        figures={figures}
        tables={tables}
        file="memory-live.csv"
      />
      <p class="note">{snapshotWords(snapshotBefore(memory, time))}</p>
    </>
  );
}

export function Panels(props: { memory: MemoryOfRun | null; lines: LineValues | null; tables: Tables }) {
  const { memory, lines, tables } = props;
  const choices = panelsOf(memory, lines);
  if (choices.length === 0) return null;
  const wanted = param('memory-panel').value;
  const id = (choices.find((each) => each.value === wanted) ?? choices[0]).value;
  const isOfPlaces = id in PLACE_PANELS || id === 'moment';
  return (
    <section class="panel">
      <div class="toolbar">
        <Segmented
          label="Below"
          value={id}
          choices={choices}
          onChange={(value) => setParams({ 'memory-panel': value === choices[0].value ? null : value })}
        />
        {isOfPlaces && (
          <Segmented
            label="Rows"
            value={isByFunction.value ? 'function' : 'line'}
            choices={[
              { value: 'line', label: 'By line' },
              { value: 'function', label: 'By function' },
            ]}
            onChange={(by) => setParams({ 'memory-by': by === 'function' ? by : null })}
          />
        )}
      </div>
      {memory && id in PLACE_PANELS && <ByPlace key={id} memory={memory} tables={tables} id={id} />}
      {memory && id === 'moment' && <AtAMoment memory={memory} tables={tables} />}
      {memory && id === 'growing' && <GrowingTable memory={memory} tables={tables} />}
      {memory && id === 'sizes' && <SizesTable sizes={memory.sizes} />}
      {memory && id === 'processes' && (
        <>
          {memory.spread && <p class="note">{spreadWords(memory, tables)}</p>}
          <ProcessTable memory={memory} tables={tables} />
        </>
      )}
      {lines && id === 'lines' && <MeasuredLines lines={lines} tables={tables} />}
    </section>
  );
}
