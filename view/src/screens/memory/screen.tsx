// Memory: how much there was at which time, and whose it was.
import { useMemo } from 'preact/hooks';
import { scope } from '../../app/scope';
import { summary, tables } from '../../app/store';
import type { MemoryOfRun } from '../../data/memory';
import type { Scope, Summary, Tables } from '../../data/types';
import { formatCount } from '../../model/format';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { MemoryChart } from './curves';
import { allocations, lines, memory, timeline } from './load';
import { markedFunctions } from './marked_functions';
import { MarkedTable } from './marked_table';
import { linesTitle, memoryFacts, ownersTitle, peakTitle } from './memory_words';
import { OwnerShares } from './owner_shares';
import { Owners } from './owners';
import { Panels } from './panels';
import { ProcessPicker } from './process_picker';
import './memory.css';

function NothingMeasured() {
  return (
    <Empty title="No memory was measured in this profile">
      <p>
        Time is recorded here, not memory. Record it at a few per cent of cost, with every line if wanted:
      </p>
      <Command
        text={
          'pyrometer run --memory script.py          # over time, who holds it, what grows\n' +
          'pyrometer run --memory --lines script.py  # what each line adds, too\n' +
          'pyrometer view pyrometer-script-1'
        }
      />
      <p>
        The files of mprof, memory_profiler and memray open as well:{' '}
        <code>pyrometer view mprofile_1.dat</code>.
      </p>
    </Empty>
  );
}

function Head(props: { memory: MemoryOfRun; known: Summary; tables: Tables; title: string }) {
  const { memory: found, known } = props;
  // They are about all processes.
  const findings = known.findings.filter((finding) => finding.screen === 'memory' && !found.isOfSome);
  return (
    <header>
      <h1>{props.title}</h1>
      <div>
        <p class="sub">{memoryFacts(found).join(' ')}</p>
        {findings.length > 0 && (
          <ul class="memory-findings">
            {findings.map((finding) => (
              <li key={finding.sentence}>{finding.sentence}</li>
            ))}
          </ul>
        )}
      </div>
      <OwnerShares memory={found} />
    </header>
  );
}

// What of the restriction does not hold here.
function scopeWords(wanted: Scope, found: MemoryOfRun): string {
  const { processes, ...others } = wanted;
  if (processes && !found.isOfSome) {
    return 'This page has the memory of all processes together only; pyrometer view shows that of each.';
  }
  const isRestricted = Object.keys(others).length > 0;
  return isRestricted
    ? 'This screen shows all threads and all the time; the restriction holds for the others.'
    : '';
}

function leftOutWords(found: MemoryOfRun): string {
  const places = found.placesLeftOut > 0 ? `${formatCount(found.placesLeftOut)} lines with least memory` : '';
  const processes = found.processesLeftOut > 0 ? `${formatCount(found.processesLeftOut)} processes` : '';
  const words = [places, processes].filter(Boolean).join(' and ');
  return words && `Left out: ${words}; pyrometer memory --limit 0 has all.`;
}

function Marked(props: { tables: Tables }) {
  const found = timeline.value.value;
  const rows = useMemo(() => (found ? markedFunctions(found, props.tables) : []), [found, props.tables]);
  return rows.length > 0 ? <MarkedTable rows={rows} tables={props.tables} /> : null;
}

export function MemoryScreen() {
  const table = tables.value.value;
  const known = summary.value.value;
  if (!table || !known) return null;
  const resources = [memory, timeline, lines, allocations];
  const errors = resources.map((each) => each.error.value).filter((error) => error !== '');
  const isLoading = resources.some((each) => each.isLoading.value);
  const found = memory.value.value;
  const measured = lines.value.value;
  const owned = allocations.value.value;
  const hasRun = found !== null && (found.processes.count > 0 || found.places.count > 0);
  const isEmpty = !isLoading && errors.length === 0 && !hasRun && !measured?.increment && !owned?.length;
  if (isEmpty) return <NothingMeasured />;
  const title =
    (hasRun && peakTitle(found)) ||
    (measured?.increment && linesTitle(measured, table)) ||
    (owned?.[0] && ownersTitle(owned[0].metric, owned[0].tree, table)) ||
    'Memory';
  return (
    <div class="memory">
      {errors.map((error) => (
        <Failure key={error} message={error} />
      ))}
      {hasRun ? (
        <>
          <Head memory={found} known={known} tables={table} title={title} />
          <ProcessPicker tables={table} />
          {found.curves.length > 0 && <MemoryChart memory={found} tables={table} />}
        </>
      ) : (
        !isLoading && <h1>{title}</h1>
      )}
      {hasRun && scopeWords(scope.value, found) && <p class="note">{scopeWords(scope.value, found)}</p>}
      <Panels memory={hasRun ? found : null} lines={measured} tables={table} />
      {hasRun && leftOutWords(found) && <p class="note">{leftOutWords(found)}</p>}
      <Marked tables={table} />
      {owned && owned.length > 0 && <Owners found={owned} tables={table} />}
      {isLoading && <Loading what="Reading what is known about memory" />}
    </div>
  );
}
