// Round values along an axis of time, and how they are written.
import type { Range } from './range';

export interface Ticks {
  readonly step: number;
  readonly values: readonly number[];
}

// Steps people count in: 1, 2 and 5 below a minute, then parts of minutes and hours.
const LONG_STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

function stepAbove(smallest: number): number {
  const long = LONG_STEPS.find((step) => step >= smallest);
  if (smallest > 30 && long !== undefined) return long;
  const power = 10 ** Math.floor(Math.log10(smallest));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= smallest * (1 - 1e-9)) ?? 10;
  return smallest > 20 && smallest <= 30 ? 30 : step * power;
}

export function makeTicks(range: Range, most: number): Ticks {
  const width = range.right - range.left;
  if (!(width > 0) || !Number.isFinite(width) || most < 1) return { step: 0, values: [] };
  const step = stepAbove(width / most);
  const first = Math.ceil(range.left / step - 1e-9);
  const last = Math.floor(range.right / step + 1e-9);
  const values: number[] = [];
  for (let i = first; i <= last && values.length <= most + 1; ++i) values.push(i * step);
  return { step, values };
}

// "2.5 s", "40 ms", "3:20", "1:05:00": as fine as the step needs, no finer.
export function formatTick(seconds: number, step: number): string {
  if (step >= 60) return clock(seconds);
  if (Math.abs(seconds) >= 60 && step >= 1) return clock(seconds);
  const digits = (unit: number) => Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  const largest = Math.abs(seconds);
  if (step >= 0.01 || largest >= 10) return `${seconds.toFixed(digits(1))} s`;
  if (step >= 1e-5 || largest >= 0.01) return `${(seconds * 1e3).toFixed(digits(1e-3))} ms`;
  return `${(seconds * 1e6).toFixed(digits(1e-6))} µs`;
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)} h` : `${minutes}:${two(whole % 60)} min`;
}
