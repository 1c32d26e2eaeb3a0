// What threads wait for when they do not run: by kind, by line, by what they wait for.
import { useMemo } from 'preact/hooks';
import { param, setParams } from '../../app/address';
import { kindValues, metrics, searchMatches, tables, timeKinds } from '../../app/store';
import type { Tables } from '../../data/types';
import { formatCount, formatShare, formatValue, shareOf } from '../../model/format';
import { Bar } from '../../parts/bar';
import { saveCsv } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { Segmented } from '../../parts/segmented';
import { makeWaitRows, type WaitGrouping, type WaitRow } from './wait_rows';
import { waitCsv, WaitTable } from './wait_table';
import { waitValues, type WaitValues } from './wait_values';
import { isWaitKind, KIND_WORDS } from './wait_words';
import './waits.css';

function titleOf(waits: WaitValues): string {
  const largest = [...waits.kinds].sort((a, b) => b.total - a.total)[0];
  if (!largest || waits.waiting === 0) return 'Nothing waits here';
  const share = formatShare(shareOf(waits.waiting, waits.whole));
  return `${share} of the threads’ time is waiting; the largest part is ${KIND_WORDS[largest.kind].name}`;
}

function Kinds(props: { waits: WaitValues; chosen: string }) {
  const { kinds, whole } = props.waits;
  const choose = (kind: string) => setParams({ 'waits-kind': kind === props.chosen ? null : kind });
  return (
    <table class="wait-kinds">
      <caption class="visually-hidden">Kinds of waiting; a button shows only one</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Kind</th>
          <th scope="col">Time</th>
          <th scope="col">Share</th>
          <th scope="col">Bar</th>
          <th scope="col">What it means</th>
        </tr>
      </thead>
      <tbody>
        {kinds
          .filter((each) => each.total > 0)
          .sort((a, b) => b.total - a.total)
          .map(({ kind, total }) => (
            <tr key={kind} class={kind === props.chosen ? 'on' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  aria-pressed={kind === props.chosen}
                  onClick={() => choose(kind)}
                >
                  <i style={{ background: `var(--${kind})` }} aria-hidden="true" />
                  {KIND_WORDS[kind].name}
                </button>
              </th>
              <td class="n">{formatValue(total, 'ns')}</td>
              <td class="n">{formatShare(shareOf(total, whole))}</td>
              <td class="b">
                <Bar pieces={[{ id: kind, share: shareOf(total, whole) }]} />
              </td>
              <td class="meaning">{KIND_WORDS[kind].meaning}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Waits(props: { waits: WaitValues; tables: Tables }) {
  const { waits } = props;
  const wanted = param('waits-kind').value;
  const chosen = waits.kinds.some((each) => each.kind === wanted) ? wanted : '';
  const text = param('waits-by').value;
  const grouping: WaitGrouping = text === 'function' || text === 'object' ? text : 'line';
  const shown = useMemo(
    () => waits.kinds.filter((each) => chosen === '' || each.kind === chosen),
    [waits, chosen],
  );
  const all = useMemo(() => makeWaitRows(props.tables, shown, grouping), [props.tables, shown, grouping]);
  const matches = searchMatches.value;
  const rows = useMemo(() => {
    const owner = (row: WaitRow) => (grouping === 'object' ? row.partner : row.function);
    return matches ? all.filter((row) => matches[owner(row)] === 1) : all;
  }, [all, matches]);
  const kinds = shown.map((each) => each.kind);
  return (
    <>
      <h1>{titleOf(waits)}</h1>
      <p class="sub">
        {`${formatValue(waits.waiting, 'ns')} of ${formatValue(waits.whole, 'ns')}, added up over all threads. ` +
          'A thread that has nothing to do counts as well.'}
      </p>
      <section class="card">
        <Kinds waits={waits} chosen={chosen} />
      </section>
      <div class="toolbar waits-toolbar">
        <Segmented<WaitGrouping>
          label="Rows"
          value={grouping}
          choices={[
            { value: 'line', label: 'By line' },
            { value: 'function', label: 'By function' },
            { value: 'object', label: 'By what is waited for' },
          ]}
          onChange={(by) => setParams({ 'waits-by': by === 'line' ? null : by })}
        />
        {isWaitKind(chosen) && (
          <span>
            {`Only ${KIND_WORDS[chosen].name}. `}
            <button type="button" class="link" onClick={() => setParams({ 'waits-kind': null })}>
              Show all kinds
            </button>
          </span>
        )}
        <span class="end" />
        <button type="button" onClick={() => saveCsv(waitCsv(rows, kinds, props.tables), 'waits.csv')}>
          Save CSV
        </button>
      </div>
      {rows.length < all.length && (
        <p class="sub">{`${formatCount(all.length - rows.length)} rows do not match the search.`}</p>
      )}
      <WaitTable
        key={grouping}
        rows={rows}
        kinds={kinds}
        grouping={grouping}
        whole={waits.whole}
        tables={props.tables}
        height="clamp(240px, 50vh, 640px)"
      />
    </>
  );
}

function NothingRecorded() {
  const isRecorded = metrics.value.some((each) => isWaitKind(each.name));
  return (
    <Empty title={isRecorded ? 'No thread waited' : 'This profile does not tell what threads wait for'}>
      <p>
        {isRecorded
          ? 'All of the recorded time is time on a CPU. '
          : 'It tells how long functions took, not whether they ran or waited. '}
        A recording of Pyrometer tells apart the GIL, locks, files and the network, sleep, and threads for
        which there was no CPU:
      </p>
      <Command text={'pyrometer run script.py\npyrometer view pyrometer-script-1'} />
    </Empty>
  );
}

export function WaitsScreen() {
  const table = tables.value.value;
  const waits = waitValues.value;
  if (!table) return null;
  if (!timeKinds.value.some(isWaitKind)) return <NothingRecorded />;
  return (
    <>
      {kindValues.error.value !== '' && <Failure message={kindValues.error.value} />}
      {waits ? (
        <Waits waits={waits} tables={table} />
      ) : (
        kindValues.error.value === '' && <Loading what="Adding up the waits" />
      )}
    </>
  );
}
