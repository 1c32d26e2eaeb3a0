// From the values of ranks to the heatmap: which columns there are, and what is said about a cell.
import type { RankValues, Tables, Unit } from '../../data/types';
import { formatCount, formatValue, nameOf, placeOf } from '../../model/format';
import { processesName, processName, processWithHost, processWord } from '../../parts/process_names';
import { heatSteps, makeTicks, type HeatScale } from './heat_cells';
import { FIGURE_WIDTH, LABEL_WIDTH, type HeatPicture } from './heat_draw';
import { formatTimes } from './statistics';
import {
  columnValues,
  fitColumns,
  groupAlike,
  inOrder,
  type Columns,
  type RankGroups,
  type RankOrder,
} from './rank_order';

export interface HeatChoice {
  readonly order: RankOrder;
  readonly scale: HeatScale;
  readonly isGrouped: boolean;
}

export interface HeatSource {
  readonly ranks: RankValues;
  readonly tables: Tables;
  readonly unit: Unit;
  readonly choice: HeatChoice;
  readonly order: Uint32Array; // of the ranks
  readonly groups: RankGroups | null; // that are columns
  readonly labels: readonly string[];
  readonly figures: readonly string[];
}

export function makeHeatSource(
  ranks: RankValues,
  tables: Tables,
  unit: Unit,
  choice: HeatChoice,
): HeatSource {
  return {
    ranks,
    tables,
    unit,
    choice,
    order: inOrder(ranks, choice.order, tables.processes.rank),
    groups: choice.isGrouped ? groupAlike(ranks) : null,
    labels: Array.from(ranks.function, (fn) => nameOf(tables, fn)),
    figures: Array.from(ranks.mean, (mean, row) => formatTimes(ranks.maximum[row], mean)),
  };
}

export interface ColumnPicture extends HeatPicture {
  readonly of: Columns;
  readonly values: Float64Array; // of the cells
}

// `pixels` is how many columns can be told apart.
export function makePicture(
  from: HeatSource,
  width: number,
  pixels: number,
  scoped: ReadonlySet<number>,
): Omit<ColumnPicture, 'row' | 'column'> {
  const { ranks, tables, groups } = from;
  const columns = groups ?? fitColumns(from.order, pixels);
  const values = columnValues(ranks, columns, groups !== null);
  const isMarked = new Uint8Array(columns.count);
  for (let column = 0; column < columns.count; ++column) {
    isMarked[column] = processesOf(ranks, columns, column).some((row) => scoped.has(row)) ? 1 : 0;
  }
  const word = processWord(tables);
  // One number above each group: how many there are in it.
  const nameAt = (place: number) =>
    groups !== null
      ? `${formatCount(groups.starts[place + 1] - groups.starts[place])} ×`
      : processName(tables, ranks.process[from.order[place]]).replace(/^\D+/, '');
  return {
    of: columns,
    values,
    rows: ranks.function.length,
    columns: columns.count,
    steps: heatSteps(values, columns.count, from.choice.scale),
    labels: from.labels,
    figures: from.figures,
    ticks: makeTicks(groups?.count ?? from.order.length, width - LABEL_WIDTH - FIGURE_WIDTH, nameAt),
    axisTitle: groups !== null ? `groups of ${word === 'rank' ? 'ranks' : 'processes'}` : word,
    isMarked,
  };
}

// Rows of the profile's processes that share a column.
export function processesOf(ranks: RankValues, columns: Columns, column: number): number[] {
  return Array.from(
    columns.members.subarray(columns.starts[column], columns.starts[column + 1]),
    (at) => ranks.process[at],
  );
}

// What the pointer or the cursor is on, in at most five lines.
export function describeCell(
  from: HeatSource,
  picture: Omit<ColumnPicture, 'row' | 'column'>,
  cell: { row: number; column: number },
): string[] {
  const { ranks, tables, unit } = from;
  const lines: string[] = [];
  if (cell.row >= 0 && cell.row < picture.rows) {
    const fn = ranks.function[cell.row];
    lines.push(nameOf(tables, fn), placeOf(tables, fn));
  }
  if (cell.column >= 0 && cell.column < picture.columns) {
    const processes = processesOf(ranks, picture.of, cell.column);
    const isCell = cell.row >= 0 && cell.row < picture.rows;
    const how = !isCell ? '' : from.groups !== null ? ', their mean' : ', the largest of them';
    lines.push(
      processes.length === 1
        ? processWithHost(tables, processes[0])
        : `${processesName(tables, processes)}${how}`,
    );
    if (!isCell) {
      lines.push('Click to look at nothing else on all screens');
    } else {
      const value = picture.values[cell.row * picture.columns + cell.column];
      const mean = ranks.mean[cell.row];
      lines.push(formatValue(value, unit), mean > 0 ? `${formatTimes(value, mean)} × the mean` : '');
    }
  }
  return lines.filter((line) => line !== '');
}
