// The same as the picture, as tables: of tracks, curves and regions, as far as there are any.
import { useMemo, useState } from 'preact/hooks';
import type { Tables, TimelineValues } from '../../data/types';
import { formatDuration, formatValue } from '../../model/format';
import type { Range } from '../../parts/range';
import { Segmented } from '../../parts/segmented';
import { VirtualTable } from '../../parts/virtual_table';
import { listRegions, sumCurves, type CurveSum, type RegionLine } from './curves_and_regions';
import type { Row } from './rows';
import { sumTracks, TrackTable } from './track_table';

type Kind = 'tracks' | 'curves' | 'regions';

export function TimelineTables(props: {
  values: TimelineValues;
  tables: Tables;
  rows: readonly Row[];
  range: Range;
  onTrack: (row: Row) => void;
}) {
  const { values, tables, rows, range } = props;
  const [wanted, setWanted] = useState<Kind>('tracks');
  const within = [values, rows, range.left, range.right];
  const tracks = useMemo(() => sumTracks(values, rows, range), within);
  const curves = useMemo(() => sumCurves(values, rows, range), within);
  const regions = useMemo(() => listRegions(values, tables, range), within);
  const choices = [
    { value: 'tracks' as const, label: 'Tracks', count: tracks.length },
    { value: 'curves' as const, label: 'Curves', count: curves.length },
    { value: 'regions' as const, label: 'Regions', count: regions.length },
  ].filter((choice) => choice.count > 0);
  const kind = choices.some((choice) => choice.value === wanted) ? wanted : choices[0]?.value;
  return (
    <div class="timeline-table">
      {choices.length > 1 && kind && (
        <div>
          <Segmented label="Table of" choices={choices} value={kind} onChange={setWanted} />
        </div>
      )}
      {kind === 'tracks' && <TrackTable values={values} sums={tracks} onTrack={props.onTrack} />}
      {kind === 'curves' && <CurveTable curves={curves} />}
      {kind === 'regions' && <RegionTable regions={regions} />}
    </div>
  );
}

function CurveTable(props: { curves: readonly CurveSum[] }) {
  const value = (of: (curve: CurveSum) => number) => (at: number) =>
    formatValue(of(props.curves[at]), props.curves[at].unit);
  const column = (id: string, title: string, of: (curve: CurveSum) => number) => ({
    id,
    title,
    width: 'minmax(90px, 1fr)',
    isNumber: true,
    cell: value(of),
  });
  return (
    <VirtualTable
      label="Curves"
      rowCount={props.curves.length}
      columns={[
        { id: 'name', title: 'Curve', width: 'minmax(140px, 2fr)', cell: (at) => props.curves[at].name },
        column('lowest', 'Lowest', (curve) => curve.lowest),
        column('mean', 'Mean', (curve) => curve.mean),
        column('highest', 'Highest', (curve) => curve.highest),
        column('last', 'At the end', (curve) => curve.last),
      ]}
    />
  );
}

function RegionTable(props: { regions: readonly RegionLine[] }) {
  const { regions } = props;
  const seconds = (of: (region: RegionLine) => number) => (at: number) =>
    formatDuration(of(regions[at]) * 1e9);
  return (
    <VirtualTable
      label="Regions"
      rowCount={regions.length}
      columns={[
        { id: 'name', title: 'Region', width: 'minmax(140px, 2fr)', cell: (at) => regions[at].name },
        { id: 'thread', title: 'Thread', width: 'minmax(120px, 2fr)', cell: (at) => regions[at].thread },
        {
          id: 'start',
          title: 'Begins at',
          width: 'minmax(90px, 1fr)',
          isNumber: true,
          cell: seconds((region) => region.start),
        },
        {
          id: 'duration',
          title: 'Lasts',
          width: 'minmax(90px, 1fr)',
          isNumber: true,
          cell: seconds((region) => region.duration),
        },
      ]}
    />
  );
}
