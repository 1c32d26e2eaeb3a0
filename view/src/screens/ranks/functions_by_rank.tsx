// Functions by ranks as a heatmap or as tables, and what the selected function does on all ranks.
import { computed } from '@preact/signals';
import { useCallback, useMemo } from 'preact/hooks';
import { setParams } from '../../app/address';
import { scope, setScope } from '../../app/scope';
import { searchMatches, selectedFunction, selectFunction } from '../../app/store';
import type { Metric, RankValues, Tables } from '../../data/types';
import { formatCount, formatShare } from '../../model/format';
import { save, saveCanvas, saveCsv } from '../../parts/download';
import { MenuButton } from '../../parts/menu';
import { Picker, Segmented } from '../../parts/segmented';
import { RankDetail } from './detail';
import {
  AXIS_HEIGHT,
  drawAxis,
  drawRows,
  FIGURE_WIDTH,
  LABEL_WIDTH,
  readColours,
  ROW_HEIGHT,
  type HeatPicture,
} from './heat_draw';
import { heatSvg } from './heat_svg';
import { Heatmap } from './heatmap';
import { isByTotal, isGrouped, isTable, order, scale } from './load';
import { MpiLines } from './mpi_lines';
import { describeCell, makeHeatSource, makePicture, processesOf } from './picture';
import { onlyFunctions, type RankGroups, type RankOrder } from './rank_order';
import { FunctionTable, matrixRows, RankTable } from './tables';

const colours = computed(readColours);
const EXPORT_WIDTH = 1400;
const GROUPS_HELP_FROM = 256;

function exportPng(picture: HeatPicture): void {
  const canvas = document.createElement('canvas');
  canvas.width = EXPORT_WIDTH * 2;
  canvas.height = (AXIS_HEIGHT + picture.rows * ROW_HEIGHT) * 2;
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  ctx.scale(2, 2);
  drawAxis(ctx, picture, colours.value, EXPORT_WIDTH);
  ctx.translate(0, AXIS_HEIGHT);
  drawRows(ctx, picture, colours.value, EXPORT_WIDTH);
  saveCanvas(canvas, 'ranks.png');
}

function Controls(props: { ranks: RankValues; tables: Tables; picture: () => HeatPicture }) {
  const count = props.ranks.process.length;
  return (
    <div class="toolbar">
      <Segmented
        label="Time of a function"
        value={isByTotal.value ? 'total' : 'self'}
        choices={[
          { value: 'self', label: 'Own time' },
          { value: 'total', label: 'With callees' },
        ]}
        onChange={(by) => setParams({ 'ranks-by': by === 'total' ? by : null })}
      />
      <Segmented
        label="Colour"
        value={scale.value}
        choices={[
          {
            value: 'row',
            label: 'Per row',
            title: 'Dark: the most that any rank spent in this function',
          },
          {
            value: 'all',
            label: 'One scale',
            title: 'Dark: the most that any rank spent in any function',
          },
        ]}
        onChange={(value) => setParams({ 'ranks-scale': value === 'all' ? value : null })}
      />
      <Picker<RankOrder>
        label="Order"
        value={order.value}
        choices={[
          { value: 'number', label: 'by number' },
          { value: 'total', label: 'busiest first' },
          { value: 'similarity', label: 'alike side by side' },
        ]}
        onChange={(value) => setParams({ 'ranks-order': value === 'number' ? null : value })}
      />
      <label>
        <input
          type="checkbox"
          checked={isGrouped.value}
          onChange={(event) => setParams({ 'ranks-group': event.currentTarget.checked ? 1 : null })}
        />
        group those that are alike
      </label>
      <span class="end ranks-end">
        <Segmented
          label="Show as"
          value={isTable.value ? 'table' : 'picture'}
          choices={[
            { value: 'picture', label: 'Picture' },
            { value: 'table', label: 'Table' },
          ]}
          onChange={(value) => setParams({ 'ranks-table': value === 'table' ? 1 : null })}
        />
        <MenuButton
          label="Save"
          items={[
            {
              label: `CSV of ${formatCount(count)} columns`,
              onPick: () => saveCsv(matrixRows(props.ranks, props.tables), 'ranks.csv'),
            },
            { label: 'PNG of the picture', onPick: () => exportPng(props.picture()) },
            {
              label: 'SVG of the picture',
              onPick: () =>
                save(heatSvg(props.picture(), colours.value, EXPORT_WIDTH), 'ranks.svg', 'image/svg+xml'),
            },
          ]}
        />
      </span>
    </div>
  );
}

function columnsNote(columns: number, count: number, groups: RankGroups | null): string {
  if (groups) {
    const part = formatShare(groups.tolerance);
    return `${formatCount(columns)} groups; those in one spend at most ${part} of their time differently, and a cell is their mean.`;
  }
  if (columns < count) {
    return `Up to ${formatCount(Math.ceil(count / columns))} ranks share a column of the picture; it shows the largest of them.`;
  }
  return count > GROUPS_HELP_FROM ? 'Grouping those that are alike makes this narrower.' : '';
}

function Ranks(props: { ranks: RankValues; metric: Metric; tables: Tables }) {
  const { ranks, metric, tables: table } = props;
  const unit = metric.unit;
  const [nowOrder, nowScale, nowGrouped] = [order.value, scale.value, isGrouped.value];
  const scoped = scope.value.processes;
  const heat = useMemo(
    () => makeHeatSource(ranks, table, unit, { order: nowOrder, scale: nowScale, isGrouped: nowGrouped }),
    [ranks, table, unit, nowOrder, nowScale, nowGrouped],
  );
  const pictureFor = useCallback(
    (width: number) => {
      const ratio = window.devicePixelRatio || 1;
      return makePicture(
        heat,
        width,
        Math.max(1, (width - LABEL_WIDTH - FIGURE_WIDTH) * ratio),
        new Set(scoped ?? []),
      );
    },
    [heat, scoped],
  );
  const rowOf = (fn: number | null) => (fn === null ? -1 : ranks.function.indexOf(fn));
  const selected = Math.max(0, rowOf(selectedFunction.value));
  const select = (row: number) => selectFunction(ranks.function[row]);
  const exported = () => ({ ...pictureFor(EXPORT_WIDTH), row: -1, column: -1 });
  return (
    <>
      <Controls ranks={ranks} tables={table} picture={exported} />
      <div class={isTable.value ? 'ranks-body wide' : 'ranks-body'}>
        {isTable.value ? (
          <div class="ranks-tables">
            <FunctionTable ranks={ranks} tables={table} unit={unit} selected={selected} onSelect={select} />
            <RankTable ranks={ranks} row={selected} tables={table} unit={unit} />
          </div>
        ) : (
          <Heatmap
            label={`Heatmap of ${formatCount(ranks.function.length)} functions by ${formatCount(ranks.process.length)} ranks; the table has the same figures.`}
            colours={colours.value}
            pictureFor={pictureFor}
            linesFor={(picture, cell) => describeCell(heat, picture, cell)}
            noteFor={(picture) => columnsNote(picture.columns, ranks.process.length, heat.groups)}
            selectedRow={selected}
            onSelectRow={select}
            onPickColumn={(picture, column) =>
              setScope({ processes: processesOf(ranks, picture.of, column) })
            }
          />
        )}
        {!isTable.value && (
          <div class="ranks-side">
            <RankDetail ranks={ranks} row={selected} tables={table} unit={unit} />
            <MpiLines />
          </div>
        )}
      </div>
    </>
  );
}

export function FunctionsByRank(props: { ranks: RankValues; metric: Metric; tables: Tables }) {
  const matches = searchMatches.value;
  const shown = useMemo(
    () => (matches ? onlyFunctions(props.ranks, matches) : props.ranks),
    [props.ranks, matches],
  );
  if (shown.function.length > 0) return <Ranks {...props} ranks={shown} />;
  return (
    <p>
      {matches
        ? `None of the ${formatCount(props.ranks.function.length)} functions that differ most matches the search.`
        : 'No function has a value of this metric on any rank.'}
    </p>
  );
}
