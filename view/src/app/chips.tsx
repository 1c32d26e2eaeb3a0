// The restrictions in force, as chips that can be removed one by one.
import { Chip } from '../parts/chip';
import { nameOf } from '../model/format';
import { param, setParams } from './address';
import { focusedFunction } from './frame_options';
import { formatRows, scope } from './scope';
import { pathFilter, tables } from './store';

function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

function processText(rows: readonly number[]): string {
  const table = tables.value.value;
  const ranks = rows.map((row) => table?.processes.rank[row] ?? -1);
  const isRanked = ranks.every((rank) => rank >= 0);
  const numbers = formatRows(isRanked ? ranks : rows);
  return isRanked
    ? `${plural(rows.length, 'rank', 'ranks')} ${numbers}`
    : `${plural(rows.length, 'process', 'processes')} ${numbers}`;
}

function threadText(rows: readonly number[]): string {
  const table = tables.value.value;
  if (rows.length > 2 || !table) return `${rows.length} threads`;
  const names = rows.map((row) =>
    row < table.threads.count ? table.texts.get(table.threads.name[row]) : '',
  );
  return names.map((name, i) => name || `thread ${rows[i]}`).join(', ');
}

function rangeText(from: number | undefined, to: number | undefined): string {
  const text = (seconds: number) => `${Number(seconds.toPrecision(4))}`;
  if (from === undefined) return `up to ${text(to ?? 0)} s`;
  return to === undefined ? `from ${text(from)} s on` : `${text(from)} – ${text(to)} s`;
}

export function ScopeChips() {
  const { processes, threads, from, to, region } = scope.value;
  const focused = focusedFunction.value;
  const table = tables.value.value;
  const isOwn = param('own').value === '1';
  const hidden = param('hide').value.split(',').filter(Boolean);
  return (
    <>
      {processes && <Chip text={processText(processes)} onRemove={() => setParams({ processes: null })} />}
      {threads && <Chip text={threadText(threads)} onRemove={() => setParams({ threads: null })} />}
      {(from !== undefined || to !== undefined) && (
        <Chip text={rangeText(from, to)} onRemove={() => setParams({ from: null, to: null })} />
      )}
      {region !== undefined && (
        <Chip text={`region ${region}`} onRemove={() => setParams({ region: null })} />
      )}
      {pathFilter.value !== '' && (
        <Chip text={`paths through ${pathFilter.value}`} onRemove={() => setParams({ paths: null })} />
      )}
      {focused !== null && table && (
        <Chip
          text={`only inside ${nameOf(table, focused)}`}
          title="Calls of this function, from wherever it was called"
          onRemove={() => setParams({ focus: null, at: null })}
        />
      )}
      {isOwn && (
        <Chip
          text="my code"
          title="Frames of libraries are folded into the code that called them"
          onRemove={() => setParams({ own: null })}
        />
      )}
      {param('collapse').value === '1' && (
        <Chip text="recursion collapsed" onRemove={() => setParams({ collapse: null })} />
      )}
      {hidden.map((module) => (
        <Chip
          key={module}
          text={`without ${module}`}
          onRemove={() => setParams({ hide: hidden.filter((each) => each !== module).join(',') })}
        />
      ))}
    </>
  );
}
