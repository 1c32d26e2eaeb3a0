// How well the job used its cores, as a few figures with what they mean.
import type { ParallelJob } from '../../data/parallel_job';
import { formatCount, formatShare } from '../../model/format';
import { formatCoreHours } from './bar_words';

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export function figuresOf(job: ParallelJob): Figure[] {
  const figures: Figure[] = [];
  const { withheld, parallel, loadBalance, communication } = job.efficiency;
  if (withheld !== '') {
    figures.push({ name: 'Efficiencies', value: '–', meaning: `would say nothing here: ${withheld}` });
  }
  const add = (name: string, value: number | null, meaning: string) => {
    if (value !== null) figures.push({ name, value: formatShare(value), meaning });
  };
  add('Parallel efficiency', parallel, 'of the time of all ranks is useful work');
  add('Load balance', loadBalance, 'the mean rank works, of what the busiest does');
  add('Communication', communication, 'of the job the busiest rank works; the rest is MPI and waiting');
  const idle = job.ranks.isIdle.reduce((sum, each) => sum + each, 0);
  if (idle > 0) {
    figures.push({
      name: 'Idle ranks',
      value: `${formatCount(idle)} of ${formatCount(job.ranks.count)}`,
      meaning: `work less than a fifth of the busiest: ${formatCoreHours(job.idleCoreHours)} unused`,
    });
  }
  return figures;
}

export function Figures(props: { job: ParallelJob }) {
  return (
    <dl class="job-figures">
      {figuresOf(props.job).map((figure) => (
        <div key={figure.name}>
          <dt>{figure.name}</dt>
          <dd>
            <b>{figure.value}</b> <span>{figure.meaning}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
