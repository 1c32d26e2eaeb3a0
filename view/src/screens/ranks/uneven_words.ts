// What an uneven function means, in words.
import type { ParallelJob, UnevenFunctions } from '../../data/parallel_job';
import { formatDuration, formatShare } from '../../model/format';

export function unevenVerdict(uneven: UnevenFunctions, row: number): string {
  if (uneven.isCertain[row] === 0) return 'not distinguishable from noise';
  return uneven.matters[row] === 1 ? 'uneven' : 'too little to matter';
}

// One sentence about the useful time of a function; null where the job does not tell.
export function unevenSentence(job: ParallelJob, fn: number): string | null {
  const { uneven } = job;
  const row = uneven.function.indexOf(fn);
  if (row < 0) return null;
  const works = `Rank ${job.ranks.number[uneven.highest[row]]} works ${formatDuration(uneven.maximum[row])} in it with what it calls, the mean is ${formatDuration(uneven.mean[row])}`;
  if (uneven.isCertain[row] === 0) {
    return `${works}: not distinguishable from sampling noise.`;
  }
  return `${works}: evening it out would save up to ${formatDuration(uneven.cost[row])}, ${formatShare(uneven.share[row])} of the job.`;
}
