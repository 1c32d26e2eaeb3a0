// What the ranks' loads say in one sentence.
import { formatShare } from '../../model/format';
import { balanceOf } from './statistics';

export interface Headline {
  readonly title: string;
  readonly figure: string;
  readonly text: string;
}

const EVEN = 0.95;

export function describeBalance(
  busy: ArrayLike<number>,
  busiest: string, // "rank 8 on node3"
  word: 'rank' | 'process',
  what: string, // "CPU time"
): Headline | null {
  const balance = balanceOf(busy);
  if (balance === null || busy.length < 2) return null;
  const plural = word === 'rank' ? 'ranks' : 'processes';
  const figure = `Load balance ${formatShare(balance)} (mean over maximum of ${what}). `;
  if (balance >= EVEN) {
    return { title: `The ${plural} carry an even load`, figure, text: `The busiest is ${busiest}.` };
  }
  return {
    title: `The busiest ${word} works ${(1 / balance).toFixed(1)} times as long as the mean`,
    figure,
    text: `While ${busiest} works, ${formatShare(1 - balance)} of what the ${plural} could do is not done.`,
  };
}
