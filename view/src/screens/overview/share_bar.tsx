// One bar of where the time went. Pieces differ in pattern as well as colour, and have names beside them.
import type { Share } from '../../data/types';
import { token } from '../../app/theme';
import { formatDuration } from '../../model/format';
import { inkOn, parseColour } from '../../parts/colour';

// What has room in a piece on a usual screen; the legend has it all.
function textIn(share: Share): string {
  const letters = share.percent * 1.5;
  const figure = `${share.percent} %`;
  const full = `${share.words} ${figure}`;
  return full.length <= letters ? full : figure.length <= letters ? figure : '';
}

export function ShareBar(props: { shares: readonly Share[]; ofWhat: string }) {
  const inks = [token('on-light'), token('on-dark')];
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
                color: inkOn(parseColour(token(share.id)), inks),
              }}
            >
              {textIn(share)}
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
