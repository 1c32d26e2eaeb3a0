// Places whose memory grew all through the second half of the time: candidates for leaks.
import { useMemo, useState } from 'preact/hooks';
import { goTo } from '../../app/address';
import { searchMatches } from '../../app/store';
import type { MemoryOfRun } from '../../data/memory';
import type { Tables } from '../../data/types';
import { formatBytes, formatCount, nameOf, placeOf } from '../../model/format';
import { curvePath } from '../../parts/chart_scale';
import { VirtualTable, type Column } from '../../parts/virtual_table';
import { trackOf } from './live_memory';

const WIDTH = 140;
const HEIGHT = 20;

// The figures stand beside it.
function SmallCurve(props: { memory: MemoryOfRun; place: number }) {
  const { memory, place } = props;
  const path = useMemo(() => {
    const track = trackOf(memory, place);
    if (!track) return '';
    const most = track.bytes.reduce((a, b) => Math.max(a, b), 1);
    const end = memory.duration || 1;
    return curvePath(
      { name: '', colour: '', x: track.time, y: track.bytes },
      (time) => (time / end) * WIDTH,
      (bytes) => HEIGHT - (bytes / most) * HEIGHT,
    );
  }, [memory, place]);
  return (
    <svg
      class="small-curve"
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      width={WIDTH}
      height={22}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

export function GrowingTable(props: { memory: MemoryOfRun; tables: Tables }) {
  const { memory, tables } = props;
  const { growing, places } = memory;
  const [selected, setSelected] = useState(-1);
  const matches = searchMatches.value;
  const rows = Array.from(growing.place.keys()).filter(
    (row) => !matches || matches[places.function[growing.place[row]]] === 1,
  );
  const fn = (at: number) => places.function[growing.place[rows[at]]];
  const line = (at: number) => places.line[growing.place[rows[at]]];
  const figure = (id: string, title: string, hint: string, words: (row: number) => string): Column => ({
    id,
    title,
    hint,
    width: '104px',
    isNumber: true,
    cell: (at) => words(rows[at]),
  });
  const columns: Column[] = [
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(120px, 2fr)',
      cell: (at) => <span class="mono">{nameOf(tables, fn(at))}</span>,
    },
    {
      id: 'place',
      title: 'Where',
      width: 'minmax(110px, 2fr)',
      cell: (at) => <span class="mono">{placeOf(tables, fn(at), line(at) || undefined)}</span>,
    },
    figure(
      'rate',
      'Per second',
      'In the second half of the time',
      (row) => `${formatBytes(growing.rate[row])}/s`,
    ),
    figure('growth', 'Grew by', 'In the second half of the time', (row) => formatBytes(growing.growth[row])),
    figure('live', 'At the end', '', (row) => formatBytes(growing.live[row])),
    {
      id: 'curve',
      title: 'Over the time',
      width: `${WIDTH + 20}px`,
      cell: (at) => <SmallCurve memory={memory} place={growing.place[rows[at]]} />,
    },
    ...(memory.processes.count > 1
      ? [figure('processes', 'Processes', 'In which it grew', (row) => formatCount(growing.processes[row]))]
      : []),
  ];
  if (growing.count === 0) {
    return (
      <p class="note">
        Nothing keeps growing: no line held more in each quarter of the second half of the time than in the
        one before.
      </p>
    );
  }
  return (
    <VirtualTable
      label="What keeps growing"
      columns={columns}
      rowCount={rows.length}
      selected={selected}
      onSelect={setSelected}
      onOpen={(at) => goTo('source', { function: fn(at), line: line(at) || null, file: null })}
      height={`clamp(120px, ${rows.length * 28 + 40}px, 44vh)`}
    />
  );
}
