// The profile as a file for other tools.
import type { MenuItem } from '../parts/menu';
import { metric, profileId, source } from './store';

const FORMATS: readonly (readonly [string, string])[] = [
  ['speedscope', 'speedscope'],
  ['pprof', 'pprof'],
  ['pstats', 'pstats (cProfile, SnakeViz)'],
  ['collapsed', 'collapsed stacks'],
  ['callgrind', 'callgrind (KCachegrind)'],
  ['firefox', 'Firefox Profiler'],
  ['csv', 'CSV of functions'],
  ['json', 'JSON'],
];

export function profileExports(): MenuItem[] {
  const items: MenuItem[] = [];
  for (const [format, label] of FORMATS) {
    const address = source.value?.exportAddress(profileId.value, format, metric.value?.name ?? '') ?? null;
    if (address === null) continue;
    items.push({
      label,
      onPick: () => {
        const link = document.createElement('a');
        link.href = address;
        link.download = '';
        link.click();
      },
    });
  }
  if (items.length === 0) {
    items.push({ label: "pyrometer export writes other tools' files", onPick: () => undefined });
  }
  return items;
}
