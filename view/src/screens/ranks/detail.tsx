// One function over all ranks: how its values are spread, and who is far out.
import { linkTo } from '../../app/address';
import { setScope } from '../../app/scope';
import { Kind, type RankValues, type Tables, type Unit } from '../../data/types';
import { formatCount, formatValue, nameOf, placeOf } from '../../model/format';
import { processesName, processWithHost, processWord } from '../../parts/process_names';
import { makeHistogram } from './histogram';
import { parallelJob } from './job';
import { unevenSentence } from './uneven_words';
import { formatTimes, indexOfLargest, largestOf, outliersOf } from './statistics';

const MOST_OUTLIERS = 8;
const HEIGHT = 90;

function HistogramPicture(props: { values: Float64Array; unit: Unit; word: string }) {
  const { from, width, counts } = makeHistogram(props.values);
  const most = largestOf(counts);
  const range = (bin: number) =>
    width === 0
      ? formatValue(from, props.unit)
      : `${formatValue(from + bin * width, props.unit)} to ${formatValue(from + (bin + 1) * width, props.unit)}`;
  return (
    <figure class="histogram">
      <svg viewBox={`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {[...counts].map((count, bin) => {
          // One rank alone must be seen beside a thousand.
          const height = count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT);
          return (
            <rect key={bin} x={bin + 0.05} y={HEIGHT - height} width={0.9} height={height}>
              <title>{`${formatCount(count)} at ${range(bin)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{formatValue(from, props.unit)}</span>
        <span>{`${props.word}s by their value`}</span>
        <span>{formatValue(from + width * counts.length, props.unit)}</span>
      </figcaption>
      <table class="visually-hidden">
        <caption>{`How many ${props.word}s have which value`}</caption>
        <tbody>
          {[...counts].map((count, bin) => (
            <tr key={bin}>
              <th scope="row">{range(bin)}</th>
              <td>{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

export function RankDetail(props: { ranks: RankValues; row: number; tables: Tables; unit: Unit }) {
  const { ranks, row, tables, unit } = props;
  const count = ranks.process.length;
  const values = ranks.value.subarray(row * count, (row + 1) * count);
  const fn = ranks.function[row];
  const word = processWord(tables);
  const outliers = outliersOf(values);
  const shown = outliers.slice(0, MOST_OUTLIERS);
  const mean = ranks.mean[row];
  const times = (value: number) => (mean > 0 ? ` (${formatTimes(value, mean)} × mean)` : '');
  const busiest = ranks.process[indexOfLargest(values)];
  const hasSource = tables.functions.kind[fn] === (Kind.python as number);
  const job = parallelJob.value.value;
  const useful = job && unevenSentence(job, fn);
  return (
    <section class="rank-detail card" aria-label="The selected function">
      <h2 class="mono" title={nameOf(tables, fn)}>
        {nameOf(tables, fn)}
      </h2>
      <p class="place">
        {placeOf(tables, fn)} ·{' '}
        {hasSource && (
          <>
            <a href={linkTo('source', { function: fn })}>source</a> ·{' '}
          </>
        )}
        <a href={linkTo('flame', { function: fn })}>flame</a>
      </p>
      {useful && <p>{useful}</p>}
      <HistogramPicture values={values} unit={unit} word={word} />
      <dl>
        <dt>minimum</dt>
        <dd>{formatValue(ranks.minimum[row], unit)}</dd>
        <dt>median</dt>
        <dd>{formatValue(ranks.median[row], unit)}</dd>
        <dt>mean</dt>
        <dd>{formatValue(mean, unit)}</dd>
        <dt>maximum</dt>
        <dd>{`${formatValue(ranks.maximum[row], unit)}, ${processWithHost(tables, busiest)}`}</dd>
        <dt>deviation</dt>
        <dd>{formatValue(ranks.deviation[row], unit)}</dd>
        <dt>max / mean</dt>
        <dd>{formatTimes(ranks.maximum[row], mean)}</dd>
      </dl>
      <h2>Far from the others</h2>
      {shown.length === 0 ? (
        <p class="place">{`No ${word} is far from the median.`}</p>
      ) : (
        <ul>
          {shown.map((outlier) => (
            <li key={outlier.rank}>
              <button
                type="button"
                class="link"
                title={`Show only ${processesName(tables, [ranks.process[outlier.rank]])} on all screens`}
                onClick={() => setScope({ processes: [ranks.process[outlier.rank]] })}
              >
                {processWithHost(tables, ranks.process[outlier.rank])}
              </button>
              <span>{formatValue(outlier.value, unit) + times(outlier.value)}</span>
            </li>
          ))}
          {outliers.length > shown.length && (
            <li>{`and ${formatCount(outliers.length - shown.length)} more`}</li>
          )}
        </ul>
      )}
    </section>
  );
}
