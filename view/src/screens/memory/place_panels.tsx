// What is told of places, by what somebody wants to know.
import type { ComponentChildren } from 'preact';
import type { Figure, MemoryOfRun } from '../../data/memory';
import { formatBytes, formatCount, formatShare, shareOf } from '../../model/format';
import { Bar } from '../../parts/bar';
import { ownerPieces } from './owner_shares';
import { ownersOf, type PlaceRow } from './place_rows';
import { signedBytes } from './signed_bytes';

export interface PlaceFigure {
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  readonly width?: string;
  readonly value: (row: PlaceRow) => number;
  readonly words: (row: PlaceRow) => string;
  readonly picture?: (row: PlaceRow) => ComponentChildren; // in place of words
}

interface PlacePanel {
  readonly figure: Figure;
  readonly label: string; // on its button
  readonly title: string; // of its table
  readonly others: readonly Figure[];
}

export const PLACE_PANELS: Readonly<Record<string, PlacePanel>> = {
  peak: {
    figure: 'peak',
    label: 'Peak',
    title: 'Who held the peak',
    others: ['live', 'allocated', 'allocations'],
  },
  live: {
    figure: 'live',
    label: 'Live at the end',
    title: 'Not freed at the end',
    others: ['live-blocks', 'peak', 'allocated'],
  },
  allocated: {
    figure: 'allocated',
    label: 'Allocated',
    title: 'Allocated over all the time',
    others: ['allocations', 'temporary', 'peak'],
  },
  churn: {
    figure: 'temporary',
    label: 'Churn',
    title: 'Allocated and freed again within 0.1 s',
    others: ['allocations', 'allocated', 'peak'],
  },
  untouched: {
    figure: 'untouched',
    label: 'Untouched',
    title: 'Live, but never touched: pages that hold nothing yet',
    others: ['live', 'peak'],
  },
};

const TITLES: Partial<Record<Figure, string>> = {
  peak: 'Peak',
  live: 'Live',
  allocated: 'Allocated',
  temporary: 'Temporary',
  untouched: 'Untouched',
  allocations: 'Blocks',
  'live-blocks': 'Live blocks',
};

function wordsOf(figure: Figure, value: number): string {
  if (value === 0) return '';
  return figure === 'allocations' || figure === 'live-blocks' ? formatCount(value) : formatBytes(value);
}

function plain(figure: Figure): PlaceFigure {
  return {
    id: figure,
    title: TITLES[figure] ?? figure,
    value: (row) => row.figures[figure],
    words: (row) => wordsOf(figure, row.figures[figure]),
  };
}

function shareFigure(value: (row: PlaceRow) => number, whole: number): PlaceFigure {
  const share = (row: PlaceRow) => shareOf(value(row), whole);
  return {
    id: 'share',
    title: 'Share',
    width: '70px',
    value: share,
    words: (row) => formatShare(share(row)),
  };
}

function part(id: 'python' | 'numpy' | 'native', title: string, figure: Figure): PlaceFigure {
  const value = (row: PlaceRow) => ownersOf(row.figures, figure)?.[id] ?? 0;
  return { id, title, width: '70px', value, words: (row) => wordsOf(figure, value(row)) };
}

export function figuresOf(panel: PlacePanel, memory: MemoryOfRun, largest: number): PlaceFigure[] {
  const { figure } = panel;
  const value = (row: PlaceRow) => row.figures[figure];
  const isSplit = ownersOf(memory.total, figure) !== null;
  const bar: PlaceFigure = {
    id: 'bar',
    title: 'Compared',
    width: 'minmax(80px, 1fr)',
    value,
    words: () => '',
    picture: (row) => {
      const owners = ownersOf(row.figures, figure);
      const pieces = owners
        ? ownerPieces(owners, largest)
        : [{ id: 'accent', share: shareOf(value(row), largest) }];
      return <Bar pieces={pieces} />;
    },
  };
  return [
    plain(figure),
    shareFigure(value, memory.total[figure]),
    bar,
    ...(isSplit
      ? [part('python', 'Python', figure), part('numpy', 'NumPy', figure), part('native', 'Native', figure)]
      : []),
    ...panel.others.filter((other) => memory.total[other] > 0).map(plain),
  ];
}

// What was live at a moment, and how much more than at another.
export function momentFigures(whole: number, largest: number, since: string): PlaceFigure[] {
  const value = (row: PlaceRow) => row.live;
  const figures: PlaceFigure[] = [
    { id: 'live', title: 'Live then', value, words: (row) => (row.live > 0 ? formatBytes(row.live) : '') },
    shareFigure(value, whole),
    {
      id: 'bar',
      title: 'Compared',
      width: 'minmax(70px, 1fr)',
      value,
      words: () => '',
      picture: (row) => <Bar pieces={[{ id: 'accent', share: shareOf(row.live, largest) }]} />,
    },
  ];
  if (since !== '') {
    figures.push({
      id: 'change',
      title: `Since ${since}`,
      width: '110px',
      value: (row) => row.change,
      words: (row) => (row.change === 0 ? '' : signedBytes(row.change)),
    });
  }
  figures.push(plain('peak'));
  return figures;
}
