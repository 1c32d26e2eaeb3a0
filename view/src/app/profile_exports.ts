// The profile as a file for other tools.
import { PageSource } from '../data/page_source';
import { save } from '../parts/download';
import type { MenuItem } from '../parts/menu';
import { sentenceOf } from './resource';
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
  const from = source.value;
  for (const [format, label] of FORMATS) {
    const name = metric.value?.name ?? '';
    const address = from?.exportAddress(profileId.value, format, name) ?? null;
    if (address === null) {
      // A page writes some of them itself.
      if (from instanceof PageSource && from.canExport(format)) {
        items.push({ label, onPick: () => void saveFromPage(from, format, name) });
      }
      continue;
    }
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

async function saveFromPage(from: PageSource, format: string, metricName: string): Promise<void> {
  try {
    const file = await from.exportFile(profileId.value, format, metricName);
    save(file, file.name, file.type);
  } catch (fault) {
    alert(sentenceOf(fault));
  }
}
