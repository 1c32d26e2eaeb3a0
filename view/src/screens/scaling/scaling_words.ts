// How a program scales, in sentences.
import { formatCount, formatShare } from '../../model/format';
import { byLoss, type Scaling } from './scaling_data';

const GOOD = 0.8;

export function scalingTitle(study: Scaling): string {
  const last = study.total.points.at(-1);
  const count = formatCount(study.counts.at(-1) ?? 0);
  const reference = formatCount(study.reference);
  const speedup = last?.speedup ?? null;
  if (speedup === null) return `From ${reference} to ${count} processes`;
  const ideal = (study.counts.at(-1) ?? 0) / study.reference;
  if (speedup < 1) return `${count} processes are slower than ${reference}`;
  return `${count} processes run ${speedup.toFixed(1)} times as fast as ${reference}; ${Number(ideal.toPrecision(3))} times would be ideal`;
}

export function scalingText(study: Scaling): string {
  const last = study.total.points.at(-1);
  const sentences: string[] = [];
  const efficiency = last?.efficiency ?? null;
  if (efficiency !== null) {
    sentences.push(
      `Efficiency ${formatShare(efficiency)}${efficiency >= GOOD ? '' : `: ${formatShare(1 - efficiency)} of the processors’ time is lost`}.`,
    );
  }
  const worst = byLoss(study.rows)[0];
  const loss = worst?.points.at(-1)?.loss ?? 0;
  if (loss > 0.01) {
    sentences.push(`Most is lost in ${worst.name} (${worst.place}): ${formatShare(loss)} of the run’s time.`);
  }
  if (study.fastestCount !== null && study.fastestCount <= study.counts[0]) {
    sentences.push('More processes do not make it faster.');
  } else if (study.fastestCount !== null) {
    sentences.push(
      `It stops getting faster at about ${formatCount(Math.round(study.fastestCount))} processes.`,
    );
  } else if (study.largestForetold > 0) {
    sentences.push(`It gets faster up to ${formatCount(study.largestForetold)} processes at least.`);
  } else if (study.noModel !== '') {
    sentences.push(`More counts cannot be foretold: ${study.noModel}.`);
  }
  return sentences.join(' ');
}
