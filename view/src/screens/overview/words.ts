// How far the numbers can be trusted, in sentences.
import type { Summary } from '../../data/types';
import { formatCount } from '../../model/format';

// "200 Hz", or from the slowest to the fastest where it changed.
function rateWords(rate: readonly [number, number]): string {
  const [low, high] = rate.map((value) => formatCount(Math.round(value)));
  return low === high ? `${low} Hz` : `${low} to ${high} Hz`;
}

function countWords(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function qualityWords(summary: Summary): string[] {
  const { quality, sampled } = summary;
  const sentences: string[] = [];
  if (!summary.finished) {
    sentences.push(
      'The recording is not complete: the program is still running, or its recorder was stopped.',
    );
  }
  if (quality.samples > 0) {
    const rate = quality.rate ? ` at ${rateWords(quality.rate)}` : '';
    const faults = [
      quality.rejected > 0 && `${formatCount(quality.rejected)} rejected as inconsistent`,
      quality.lost > 0 && `${formatCount(quality.lost)} lost`,
    ].filter((each) => each !== false);
    const besides = faults.length > 0 ? `; ${faults.join(', ')}` : '';
    sentences.push(`${countWords(quality.samples, 'sample', 'samples')}${rate}${besides}.`);
  } else if (!sampled && summary.metrics.length > 0) {
    sentences.push('Measured exactly, not sampled.');
  }
  if (quality.error !== null && quality.error > 0) {
    sentences.push(`A share of 50 % is uncertain by ±${pointWords(quality.error)}.`);
  }
  if (quality.cost !== null) sentences.push(costWords(quality.cost));
  if (summary.estimated) {
    sentences.push('The file tells who called whom; whole call paths are estimated from that.');
  }
  return sentences;
}

function pointWords(share: number): string {
  const points = 100 * share;
  const text = points >= 10 ? points.toFixed(0) : points >= 0.1 ? points.toFixed(1) : '0.1';
  return `${text} ${text === '1.0' ? 'point' : 'points'}`;
}

function costWords(cost: number): string {
  if (cost < 0.0005) return 'Recording took less than 0.1 % of a CPU.';
  return `Recording took ${(100 * cost).toFixed(1)} % of a CPU.`;
}
