// What stands out about memory, in sentences.
import type { MemoryCurve, MemoryLevel, MemoryOfRun } from '../../data/memory';
import { NONE, type LineValues, type Metric, type Tables } from '../../data/types';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  nameOf,
  placeOf,
  shareOf,
} from '../../model/format';
import { hottestLines } from '../../model/lines';
import type { CallTree } from '../../model/types';
import { processName } from '../../parts/process_names';

const SECOND = 1e9;

export interface Peaks {
  readonly heap: MemoryLevel | null;
  readonly resident: MemoryLevel | null;
}

function levelOf(bytes: number, time: number): MemoryLevel | null {
  return bytes > 0 ? { bytes, time } : null;
}

// Of one process, or of all together.
export function peaksOf(memory: MemoryOfRun): Peaks {
  const { processes } = memory;
  if (processes.count > 1) return { heap: memory.heapTogether, resident: memory.residentTogether };
  return {
    heap: levelOf(processes.heap[0], processes.heapTime[0]),
    resident: levelOf(processes.resident[0], processes.residentTime[0]),
  };
}

function atTime(level: MemoryLevel): string {
  return Number.isFinite(level.time) ? ` at ${formatDuration(level.time * SECOND)}` : '';
}

export function peakTitle(memory: MemoryOfRun): string {
  const { heap, resident } = peaksOf(memory);
  const together = memory.processes.count > 1 ? ', all processes together' : '';
  if (heap) return `Peak ${formatBytes(heap.bytes)} of heap${atTime(heap)}${together}`;
  if (resident) return `Peak ${formatBytes(resident.bytes)} resident${atTime(resident)}${together}`;
  return memory.total.peak > 0 ? `Peak ${formatBytes(memory.total.peak)}` : '';
}

export interface MemoryLimit {
  readonly bytes: number;
  readonly words: string;
  readonly label: string; // for the line in the picture, after the bytes
}

// What the processes may have together. Null where that is unknown, and where they have more: pages that they
// share count in each.
export function limitOf(memory: MemoryOfRun): MemoryLimit | null {
  const { available } = memory;
  if (!available || (memory.residentTogether?.bytes ?? 0) > available.bytes) return null;
  const { bytes, isLimit } = available;
  return isLimit
    ? { bytes, words: 'the limit', label: 'the limit' }
    : { bytes, words: 'the machine’s memory', label: 'the machine’s' };
}

export function memoryFacts(memory: MemoryOfRun): string[] {
  const { total } = memory;
  const facts: string[] = [];
  const { heap, resident } = peaksOf(memory);
  const limit = limitOf(memory);
  if (resident && (heap || limit)) {
    const share = limit
      ? `, ${formatShare(shareOf(resident.bytes, limit.bytes))} of ${limit.words} of ${formatBytes(limit.bytes)}`
      : '';
    facts.push(`At most ${formatBytes(resident.bytes)} resident${share}.`);
  }
  if (total.allocated > 0) {
    const blocks = total.allocations > 0 ? ` in ${formatCount(total.allocations)} blocks` : '';
    const churn = total.temporary > 0 ? `, ${formatBytes(total.temporary)} of it freed again at once` : '';
    facts.push(`Allocated ${formatBytes(total.allocated)}${blocks}${churn}.`);
  }
  if (total.live > 0) {
    const untouched = total.untouched > 0 ? `, ${formatBytes(total.untouched)} of it never touched` : '';
    facts.push(`${formatBytes(total.live)} live at the end${untouched}.`);
  }
  if (memory.mode === 'sampled') {
    facts.push(`Who allocated is estimated from samples every ${formatBytes(memory.sampleBytes)}.`);
  }
  return facts;
}

// "Peaks of 4 ranks: 700 MiB (rank 0) to 900 MiB (rank 1), …"; empty where there is one only.
export function spreadWords(memory: MemoryOfRun, tables: Tables): string {
  const { spread } = memory;
  if (!spread) return '';
  const kind = spread.isHeap ? 'of heap' : 'resident';
  const at = (bytes: number, row: number) => `${formatBytes(bytes)} (${processName(tables, row)})`;
  return (
    `Peaks of ${formatCount(spread.count)} ${spread.of}: ${at(spread.least, spread.lowest)} to ` +
    `${at(spread.most, spread.highest)} ${kind}, ${formatBytes(spread.mean)} on average; ` +
    `imbalance ${spread.imbalance.toFixed(2)}.`
  );
}

export function curveName(tables: Tables, curve: MemoryCurve): string {
  const kind = curve.isHeap ? 'heap' : 'resident';
  if (curve.process === NONE) return `${kind}, together`;
  return tables.processes.count > 1 ? `${kind}, ${processName(tables, curve.process)}` : kind;
}

export function linesTitle(lines: LineValues, tables: Tables): string {
  const increment = lines.increment ?? new Float64Array(0);
  let most = 0;
  for (let row = 1; row < increment.length; ++row) if (increment[row] > increment[most]) most = row;
  if (!(increment[most] > 0)) return 'No line added memory';
  const place = placeOf(tables, lines.function[most], lines.line[most]);
  return `${place} added ${formatBytes(increment[most])}, more than any other line`;
}

export function ownersTitle(metric: Metric, tree: CallTree, tables: Tables): string {
  const [most] = hottestLines(tree, tables, 1);
  if (!most) return metric.label;
  const amount = `${formatBytes(most.self)} (${formatShare(shareOf(most.self, tree.whole))})`;
  return `${nameOf(tables, most.function)} at ${placeOf(tables, most.function, most.line)} has the most: ${amount}`;
}
