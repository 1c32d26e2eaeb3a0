// One bar of where the time went. Pieces differ in pattern as well as colour, and have names beside them.
import type { Share } from '../../data/types';
import { theme, token } from '../../app/theme';
import { formatDuration } from '../../model/format';
import { inkOn } from '../../parts/colour_mix';

const NAMED_FROM = 9; // percent: smaller pieces have no room for their name

export function ShareBar(props: { shares: readonly Share[]; ofWhat: string }) {
  void theme.value;
  return (
    <section class="shares" aria-label="Where the time went">
      <div class="share-bar" aria-hidden="true">
        {props.shares
          .filter((share) => share.value > 0)
          .map((share) => (
            <span
              key={share.id}
              class={`kind-${share.id}`}
              title={`${share.words} ${share.percent} %, ${formatDuration(share.value)}`}
              style={{
                flexGrow: share.value,
                backgroundColor: `var(--${share.id})`,
                color: inkOn(token(share.id)),
              }}
            >
              {share.percent >= NAMED_FROM && `${share.words} ${share.percent} %`}
            </span>
          ))}
      </div>
      <div class="legend" aria-hidden="true">
        {props.shares.map((share) => (
          <span key={share.id}>
            <i class={`kind-${share.id}`} style={{ backgroundColor: `var(--${share.id})` }} />
            {share.words} {share.percent} % <small>{formatDuration(share.value)}</small>
          </span>
        ))}
        <span class="of">{props.ofWhat}</span>
      </div>
      <table class="visually-hidden">
        <caption>Where the time went, {props.ofWhat}</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Share</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {props.shares.map((share) => (
            <tr key={share.id}>
              <th scope="row">{share.words}</th>
              <td>{share.percent} %</td>
              <td>{formatDuration(share.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
