// Places that allocate as rows of a table: by line, or the lines of a function together.
import { FIGURES, type Figure, type MemoryOfRun, type MemoryPlaces } from '../../data/memory';
import { NONE, type Tables } from '../../data/types';
import { nameOf, placeOf } from '../../model/format';

export interface PlaceRow {
  readonly function: number;
  readonly line: number; // 0: unknown, or all of the function
  readonly caller: number; // NONE: nobody
  readonly callerLine: number;
  readonly place: number; // where it stands among the places; of a function, its first line there
  readonly figures: Record<Figure, number>;
  live: number; // at a moment
  change: number; // since another one
}

function emptyRow(places: MemoryPlaces, i: number, line: number): PlaceRow {
  return {
    function: places.function[i],
    line,
    caller: places.caller[i],
    callerLine: places.callerLine[i],
    place: i,
    figures: Object.fromEntries(FIGURES.map((figure) => [figure, 0])) as Record<Figure, number>,
    live: 0,
    change: 0,
  };
}

// `live` and `change` are by place.
export function placeRows(
  memory: MemoryOfRun,
  isByFunction: boolean,
  live?: Float64Array,
  change?: Float64Array,
): PlaceRow[] {
  const { places } = memory;
  const rows: PlaceRow[] = [];
  const ofFunction = new Map<number, PlaceRow>();
  for (let i = 0; i < places.count; ++i) {
    let row = isByFunction ? ofFunction.get(places.function[i]) : undefined;
    if (!row) {
      row = emptyRow(places, i, isByFunction ? 0 : places.line[i]);
      rows.push(row);
      ofFunction.set(row.function, row);
    }
    for (const figure of FIGURES) row.figures[figure] += places.figures[figure][i];
    row.live += live?.[i] ?? 0;
    row.change += change?.[i] ?? 0;
  }
  return rows;
}

export function whereIs(tables: Tables, row: PlaceRow): string {
  return placeOf(tables, row.function, row.line || undefined);
}

// "solver.py:12": for whom a library allocated.
export function forWhom(tables: Tables, row: PlaceRow): string {
  if (row.caller === NONE) return '';
  return placeOf(tables, row.caller, row.callerLine || undefined) || nameOf(tables, row.caller);
}

const SPLIT: Partial<Record<Figure, readonly [Figure, Figure]>> = {
  peak: ['peak-numpy', 'peak-native'],
  live: ['live-numpy', 'live-native'],
  allocated: ['allocated-numpy', 'allocated-native'],
};

export interface Owners {
  readonly python: number;
  readonly numpy: number;
  readonly native: number;
}

// Who asked for it; null where that is not known of this figure.
export function ownersOf(figures: Readonly<Record<Figure, number>>, figure: Figure): Owners | null {
  const parts = SPLIT[figure];
  if (!parts) return null;
  const [numpy, native] = [figures[parts[0]], figures[parts[1]]];
  return { python: Math.max(0, figures[figure] - numpy - native), numpy, native };
}
