import { shareOf } from '../model/format';

// A share that is never above the whole: clocks of other profilers may count a little more than there was.
export function cappedShare(value: number, whole: number): number {
  return Math.min(1, shareOf(value, whole));
}
