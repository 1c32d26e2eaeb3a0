// The ranks of a parallel job in a small picture; the ranks screen has them in full, as tables too.
import { linkTo } from '../../app/address';
import type { Tables } from '../../data/types';
import { formatCount, formatShare } from '../../model/format';
import { RankBarsPicture } from '../ranks/bars';
import { parallelJob } from '../ranks/job';
import '../ranks/ranks.css';

const HEIGHT = 56;

export function RankStrip(props: { tables: Tables }) {
  const job = parallelJob.value.value;
  if (!job || job.ranks.count < 2) return null;
  const { parallel, withheld } = job.efficiency;
  const hosts = `${formatCount(job.hosts.length)} ${job.hosts.length === 1 ? 'host' : 'hosts'}`;
  return (
    <section class="card rank-strip">
      <h2>{`${formatCount(job.ranks.count)} ranks on ${hosts}`}</h2>
      <RankBarsPicture job={job} tables={props.tables} order="number" plotHeight={HEIGHT} isSmall />
      <p class="none">
        {parallel !== null && `Useful work is ${formatShare(parallel)} of their time. `}
        {withheld !== '' && `Efficiencies would say nothing here: ${withheld}. `}
        <a href={linkTo('ranks')}>Ranks →</a>
      </p>
    </section>
  );
}
