// Timeline: what every thread or process did when.
import { computed } from '@preact/signals';
import { param, setParams } from '../../app/address';
import { setScope, setTimeRange } from '../../app/scope';
import { summary, tables } from '../../app/store';
import { token } from '../../app/theme';
import type { Tables, TimelineValues } from '../../data/types';
import { save, saveCsv, saveSvgAsPng } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { MenuButton } from '../../parts/menu';
import type { Range } from '../../parts/range';
import { Segmented } from '../../parts/segmented';
import { categoryToken, categoryWords, isHatched } from './categories';
import { curvePoints } from './curves_and_regions';
import { Lanes } from './lanes';
import { timelineColours } from './paint_timeline';
import { RangeFields } from './range_fields';
import type { Row, Rows } from './rows';
import {
  by,
  detail,
  extent,
  filter,
  highest,
  layout,
  selectedRange,
  setView,
  values,
  view,
  whole,
} from './state';
import { timelineSvg } from './timeline_svg';
import { TimelineTables } from './timeline_tables';
import { sumRows, sumTracks } from './track_table';
import './timeline.css';

const colours = computed(() => timelineColours(token));

const SVG_WIDTH = 1600;

export function TimelineScreen() {
  const table = tables.value.value;
  const has = summary.value.value?.has;
  if (has && !has.time && !has.counters && !has.regions) return <NoTime />;
  if (whole.error.value) return <Failure message={whole.error.value} />;
  const found = values.value;
  const rows = layout.value;
  if (!table || !found || !rows) return <Loading what="Reading the timeline" />;
  return <TimelineWith tables={table} values={found} rows={rows} />;
}

function NoTime() {
  return (
    <Empty title="This profile does not say when things happened">
      <p>It has sums only. To see threads over time, record the program with Pyrometer:</p>
      <Command text="pyrometer run script.py" />
      <p>Merged recordings keep no moments either: open the run itself instead of the merged file.</p>
    </Empty>
  );
}

function showOnly(row: Row, kind: 'thread' | 'process'): void {
  setScope(kind === 'thread' ? { threads: [row.id] } : { processes: [row.id] });
}

function TimelineWith(props: { tables: Tables; values: TimelineValues; rows: Rows }) {
  const { tables: table, values: shown, rows } = props;
  const range = selectedRange.value;
  const summed = range ?? view.value;
  const source = range ? (whole.value.value ?? shown) : shown;
  const isTableShown = param('table').value === '1';
  const hasTime = summary.value.value?.has.time ?? false;
  // Without moments in time nothing else can be cut: then a range is only looked at.
  const onRange = (next: Range | null) => {
    if (hasTime) setTimeRange(next?.left ?? null, next?.right ?? null);
    else setView(next);
  };
  const onTrack = (row: Row) => showOnly(row, shown.by);

  const svg = () =>
    timelineSvg(
      {
        values: shown,
        tables: table,
        rows: rows.rows,
        highest: highest.value,
        view: view.value,
        range,
        colours: colours.value,
        selected: -1,
      },
      rows.height,
      SVG_WIDTH,
    );
  const exports = [
    { label: 'SVG', onPick: () => save(svg(), 'timeline.svg', 'image/svg+xml') },
    { label: 'PNG', onPick: () => saveSvgAsPng(svg(), SVG_WIDTH, rows.height + 50, 'timeline.png') },
    {
      label: 'CSV of the tracks',
      onPick: () => saveCsv(sumRows(source, sumTracks(source, rows.rows, summed)), 'timeline.csv'),
    },
    ...(shown.counters.length > 0
      ? [{ label: 'CSV of the curves', onPick: () => saveCsv(curvePoints(shown), 'curves.csv') }]
      : []),
  ];

  return (
    <>
      <h1 class="visually-hidden">Timeline</h1>
      <div class="toolbar">
        {hasTime && (
          <Segmented
            label="A track per"
            choices={[
              { value: 'thread', label: 'Threads' },
              { value: 'process', label: summary.value.value?.has.ranks ? 'Ranks' : 'Processes' },
            ]}
            value={by.value}
            onChange={(value) => setParams({ by: value })}
          />
        )}
        <input
          type="search"
          class="track-filter"
          aria-label="Only tracks whose name contains"
          placeholder="Filter tracks"
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <RangeFields extent={extent.value} range={range} onRange={onRange} />
        {range && (
          <button type="button" onClick={() => setView(range)}>
            Zoom to it
          </button>
        )}
        <span class="end">
          <button
            type="button"
            aria-pressed={isTableShown}
            onClick={() => setParams({ table: isTableShown ? null : '1' })}
          >
            Table
          </button>{' '}
          <MenuButton label="Save" items={exports} />
        </span>
      </div>
      <Legend values={shown} rows={rows} />
      {rows.rows.length === 0 ? (
        <Empty title="No track to show">
          <p>
            {filter.value === ''
              ? 'Nothing was recorded in what is chosen. Remove a chip above.'
              : `No track's name contains “${filter.value}”.`}
          </p>
        </Empty>
      ) : (
        <Lanes
          values={shown}
          tables={table}
          layout={rows}
          highest={highest.value}
          extent={extent.value}
          view={view.value}
          range={range}
          colours={colours.value}
          onView={setView}
          onRange={onRange}
          hint={
            hasTime
              ? 'Drag to choose a time range: every screen then shows only that. The wheel zooms, shift and drag move.'
              : 'Drag to look at a time range. The wheel zooms, shift and drag move.'
          }
          onTrack={onTrack}
          onRegion={(region) => hasTime && setScope({ region })}
        />
      )}
      {detail.error.value && <p class="note">Finer detail is not to be had: {detail.error.value}</p>}
      {isTableShown && (
        <TimelineTables values={source} tables={table} rows={rows.rows} range={summed} onTrack={onTrack} />
      )}
    </>
  );
}

function Legend(props: { values: TimelineValues; rows: Rows }) {
  const { values: shown, rows } = props;
  return (
    <div class="legend timeline-legend">
      {shown.track.length > 0 &&
        shown.categories.map((name) => (
          <span key={name}>
            <i
              class={isHatched(name) ? 'kind-mpi' : ''}
              style={{ backgroundColor: `var(--${categoryToken(name)})` }}
            />
            {categoryWords(name)}
          </span>
        ))}
      {shown.by === 'process' && shown.track.length > 0 && (
        <span>a lane is {highest.value.toFixed(highest.value < 10 ? 1 : 0)} threads high</span>
      )}
      {shown.omitted > 0 && (
        <span>
          the first {shown.track.length} tracks; {shown.omitted} more are not shown, choose ranks or threads
          to see them
        </span>
      )}
      {rows.hiddenCurves > 0 && <span>{rows.hiddenCurves} more curves: filter to see them</span>}
    </div>
  );
}
