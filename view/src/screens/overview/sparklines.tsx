// Small curves over the time of the run, each with its figures in words.
import { linkTo } from '../../app/address';
import { lazyResource } from '../../app/lazy_resource';
import { scope } from '../../app/scope';
import { profileEntry, profileId, source, summary } from '../../app/store';
import { formatCount, formatValue } from '../../model/format';
import { busyThreads, curvePoints, highestCounters } from './curves';

const BUCKETS = 240;
const WIDTH = 600;
const HEIGHT = 44;

const timeline = lazyResource(() => {
  const has = summary.value.value?.has;
  if (!source.value || !profileEntry.value || !has || !(has.time || has.counters)) return null;
  return source.value.timeline(profileId.value, 'process', BUCKETS, scope.value);
});

function Curve(props: { label: string; words: string; points: string }) {
  return (
    <figure>
      <figcaption>
        <b>{props.label}</b> {props.words}
      </figcaption>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <polygon points={`0,${HEIGHT} ${props.points} ${WIDTH},${HEIGHT}`} />
        <polyline points={props.points} />
      </svg>
    </figure>
  );
}

export function Sparklines() {
  const found = timeline.value.value;
  if (!found) return null;
  const busy = busyThreads(found);
  const counters = highestCounters(found.counters).slice(0, 2);
  if (!busy && counters.length === 0) return null;
  const mean = busy ? busy.reduce((sum, value) => sum + value, 0) / busy.length : 0;
  const most = busy?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
  return (
    <section class="card sparklines">
      <h2>Over time</h2>
      {busy && (
        <Curve
          label="Threads on a CPU"
          words={`${formatCount(Number(mean.toPrecision(2)))} on average, at most ${formatCount(Number(most.toPrecision(2)))}`}
          points={curvePoints(
            busy.map((_, i) => i),
            busy,
            most,
            WIDTH,
            HEIGHT,
          )}
        />
      )}
      {counters.map(({ counter, most: top }) => (
        <Curve
          key={counter.name}
          label={counter.name}
          words={`at most ${formatValue(top, counter.unit)}`}
          points={curvePoints(counter.time, counter.value, top, WIDTH, HEIGHT)}
        />
      ))}
      <a href={linkTo('timeline')}>Timeline →</a>
    </section>
  );
}
