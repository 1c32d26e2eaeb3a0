// What the heat of a box means.
import { heatIndexOf } from '../../model/colours';

const SHARES = [0.01, 0.1, 0.25, 0.5, 1];

export function HeatLegend(props: { isInverted: boolean }) {
  return (
    <span class="legend">
      {props.isInverted ? 'cost' : 'own cost'}, of all:
      {SHARES.map((share) => (
        <span key={share}>
          <i style={{ background: `var(--heat${heatIndexOf(share)})` }} />
          {share * 100} %
        </span>
      ))}
    </span>
  );
}
