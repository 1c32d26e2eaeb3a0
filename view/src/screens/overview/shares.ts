// Where the time went, in a scope: the same shares that the summary has of the whole run.
import type { Share } from '../../data/types';

const WORDS: Readonly<Record<string, string>> = {
  python: 'python',
  native: 'native',
  system: 'system',
  'gil-wait': 'waiting for the GIL',
  runnable: 'waiting for a CPU',
  'lock-wait': 'waiting for locks',
  mpi: 'MPI',
  io: 'input and output',
  sleep: 'asleep',
  idle: 'idle',
  waiting: 'waiting',
};

export function wordsOf(kind: string): string {
  return WORDS[kind] ?? kind;
}

// `sums` by kind; what they leave of `wall` is waiting.
export function sharesOf(sums: ReadonlyMap<string, number>, wall: number): Share[] {
  const parts = [...sums].filter(([, value]) => value > 0);
  const named = parts.reduce((sum, [, value]) => sum + value, 0);
  const whole = Math.max(wall, named);
  if (whole <= 0) return [];
  if (whole - named > whole / 1000) parts.push(['waiting', whole - named]);
  const percents = wholePercents(parts.map(([, value]) => value));
  return parts.map(([id, value], i) => ({ id, words: wordsOf(id), value, percent: percents[i] }));
}

// Percentages without decimals that add up to 100: the largest remainders are rounded up.
export function wholePercents(values: readonly number[]): number[] {
  const whole = values.reduce((sum, value) => sum + value, 0);
  if (whole <= 0) return values.map(() => 0);
  const exact = values.map((value) => (100 * value) / whole);
  const percents = exact.map(Math.floor);
  let left = 100 - percents.reduce((sum, value) => sum + value, 0);
  const byRemainder = exact
    .map((value, i) => ({ i, rest: value - percents[i] }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of byRemainder) if (left-- > 0) ++percents[i];
  return percents;
}
