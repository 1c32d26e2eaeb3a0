// Numbers and names as people read them; numbers are written as the command line writes them.
import { NONE, type Tables, type Unit } from '../data/types';

export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'ns':
      return formatDuration(value);
    case 'bytes':
      return formatBytes(value);
    case 'count':
      return formatCount(value);
  }
}

export function formatDuration(nanoseconds: number): string {
  const size = Math.abs(nanoseconds);
  if (!Number.isFinite(nanoseconds)) return '–';
  if (nanoseconds === 0) return '0 s';
  if (size >= 0.9995e9) return `${threeDigits(nanoseconds / 1e9)} s`;
  if (size >= 0.9995e6) return `${threeDigits(nanoseconds / 1e6)} ms`;
  if (size >= 0.9995e3) return `${threeDigits(nanoseconds / 1e3)} µs`;
  return `${Math.round(nanoseconds)} ns`;
}

export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  for (; Math.abs(value) >= 1023.5 && unit + 1 < units.length; ++unit) value /= 1024;
  return `${unit === 0 ? Math.round(value) : threeDigits(value)} ${units[unit]}`;
}

// Whole numbers with commas; parts of them (calls per second) with three digits.
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const isSmallPart = !Number.isInteger(value) && Math.abs(value) < 100;
  if (isSmallPart) return threeDigits(value);
  const digits = String(Math.abs(Math.round(value)));
  if (digits.includes('e')) return value.toExponential(2);
  return (value < 0 ? '-' : '') + digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

// "58 %", "4.2 %", "< 0.1 %"
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = 100 * share;
  const size = Math.abs(percent);
  if (size === 0) return '0 %';
  if (size < 0.05) return percent < 0 ? '> -0.1 %' : '< 0.1 %';
  return `${percent.toFixed(size >= 9.95 ? 0 : 1)} %`;
}

// value / whole, and nothing where that means nothing.
export function shareOf(value: number, whole: number): number {
  return whole > 0 && Number.isFinite(value) ? value / whole : 0;
}

function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return formatCount(Math.round(value));
  return value.toFixed(size >= 9.995 ? 1 : 2);
}

export function nameOf(tables: Tables, fn: number): string {
  const name = fn < tables.functions.count ? tables.texts.get(tables.functions.name[fn]) : '';
  return visible(name) || '(no name)';
}

// "wave.py:52"; the library of native code; "" for what has no place.
export function placeOf(tables: Tables, fn: number, line = tables.functions.line[fn]): string {
  const file = fn < tables.functions.count ? tables.functions.file[fn] : NONE;
  if (file === NONE) return '';
  const name = visible(tables.texts.get(tables.files.name[file]));
  // Native code of which only the library is known is called like its file.
  if (line === 0 && name === visible(tables.texts.get(tables.functions.name[fn]))) return '';
  return line > 0 && name !== '' ? `${name}:${line}` : name;
}

// Marks that turn text around, end a line or have no shape would let a name pose as another one.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

export function visible(text: string): string {
  return text.replace(UNSEEN, (mark) => {
    const code = mark.codePointAt(0)!.toString(16).toUpperCase();
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
  });
}

// Cut in the middle: the ends tell most. Show the whole text as the title.
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const letters = [...text.slice(0, 2 * most), ...text.slice(-2 * most)];
  const head = Math.ceil((most - 1) / 2);
  const tail = Math.floor((most - 1) / 2);
  return letters.slice(0, head).join('') + '…' + (tail > 0 ? letters.slice(-tail).join('') : '');
}
