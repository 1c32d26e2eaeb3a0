// Speed-up and efficiency over counts of processes, against the ideal.
import { useRef } from 'preact/hooks';
import { formatCount, formatShare, shorten } from '../../model/format';
import { doublingAxis, linearAxis, powersAxis, type Curve } from '../../parts/chart_scale';
import { LineChart, saveChart } from '../../parts/line_chart';
import { MenuButton } from '../../parts/menu';
import { fieldOf, type Scaling, type ScalingField, type ScalingRow } from './scaling_data';

const COLOURS = ['python', 'gil-wait', 'io', 'mpi', 'native', 'lock-wait'] as const;
export const MOST_CURVES = COLOURS.length;

function ScalingChart(props: { study: Scaling; rows: readonly ScalingRow[]; field: ScalingField }) {
  const { study, field } = props;
  const svg = useRef<SVGSVGElement | null>(null);
  const isSpeedup = field === 'speedup';
  const x = Float64Array.from(study.counts);
  const curve = (row: ScalingRow, name: string, colour: string): Curve => ({
    name,
    colour,
    hasDots: true,
    x,
    y: fieldOf(row, field),
  });
  const curves: Curve[] = [
    curve(study.total, 'the whole', 'ink'),
    ...props.rows.map((row, i) => curve(row, shorten(nameOfRow(row), 24), COLOURS[i % COLOURS.length])),
    {
      name: 'ideal',
      colour: 'faint',
      isDashed: true,
      x,
      y: x.map((count) => (isSpeedup ? count / study.reference : 1)),
    },
  ];
  const values = curves.flatMap((each) => [...each.y]).filter((value) => value > 0);
  const [least, most] = [Math.min(1, ...values), Math.max(1, ...values)];
  const title = isSpeedup ? 'Speed-up' : 'Efficiency';
  return (
    <section class="card">
      <div class="chart-head">
        <h2>{`${title} against ${formatCount(study.reference)} processes`}</h2>
        <MenuButton
          label="Save"
          items={[
            { label: 'SVG', onPick: () => saveChart(svg.current, field, false) },
            { label: 'PNG', onPick: () => saveChart(svg.current, field, true) },
          ]}
        />
      </div>
      <LineChart
        label={`${title} over the count of processes.`}
        curves={curves}
        x={doublingAxis(study.counts)}
        y={isSpeedup ? powersAxis(least, most) : linearAxis(0, most, 5)}
        xTitle="processes"
        formatX={(value) => formatCount(value)}
        formatY={(value) => (isSpeedup ? `${Number(value.toPrecision(3))} ×` : formatShare(value))}
        height={300}
        labelWidth={184}
        svgRef={(element) => {
          svg.current = element;
        }}
      />
    </section>
  );
}

export function nameOfRow(row: ScalingRow): string {
  return row.source === '' ? row.name : `${row.place} ${row.source}`;
}

export function ScalingCharts(props: { study: Scaling; rows: readonly ScalingRow[] }) {
  return (
    <div class="scaling-charts">
      <ScalingChart study={props.study} rows={props.rows} field="speedup" />
      <ScalingChart study={props.study} rows={props.rows} field="efficiency" />
    </div>
  );
}
