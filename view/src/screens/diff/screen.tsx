// Two profiles: what became slower or faster, and what chance explains.
import { useMemo } from 'preact/hooks';
import { setParams } from '../../app/address';
import { isScoped } from '../../app/scope';
import { search } from '../../app/store';
import { parseSearch } from '../../model/search';
import { saveCsv } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { Picker, Segmented } from '../../parts/segmented';
import type { ChangeRow, Difference } from './diff_data';
import { DiffIcicle } from './diff_picture';
import { shownChanges } from './diff_rows';
import { diffCsv, DiffTable } from './diff_table';
import { diffText, diffTitle } from './diff_words';
import {
  after,
  before,
  by,
  difference,
  entries,
  isNoiseShown,
  isNormalised,
  isPicture,
  picture,
} from './load';
import './diff.css';

function Check(props: { label: string; title: string; isOn: boolean; param: string }) {
  return (
    <label title={props.title}>
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => setParams({ [props.param]: event.currentTarget.checked ? 1 : null })}
      />
      {props.label}
    </label>
  );
}

function Toolbar(props: { rows: readonly ChangeRow[] }) {
  const choices = entries.value.map((entry) => ({ value: String(entry.id), label: entry.name }));
  return (
    <div class="toolbar">
      <Picker
        label="Before"
        value={String(before.value)}
        choices={choices}
        onChange={(id) => setParams({ before: id })}
      />
      <Picker
        label="After"
        value={String(after.value)}
        choices={choices}
        onChange={(id) => setParams({ after: id })}
      />
      <button type="button" onClick={() => setParams({ before: after.value, after: before.value })}>
        Swap
      </button>
      <Check
        label="compare shares"
        title="Values after are scaled so that both totals are equal: for runs that did not do the same work"
        isOn={isNormalised.value}
        param="normalise"
      />
      {!isPicture.value && (
        <>
          <Segmented
            label="Rows"
            value={by.value}
            choices={[
              { value: 'functions', label: 'Functions' },
              { value: 'lines', label: 'Lines' },
            ]}
            onChange={(value) => setParams({ 'diff-by': value === 'lines' ? value : null })}
          />
          <Check
            label="also what may be chance"
            title="Samples vary: a change within its 95 % interval says nothing"
            isOn={isNoiseShown.value}
            param="diff-noise"
          />
        </>
      )}
      <span class="end" />
      <Segmented
        label="Show as"
        value={isPicture.value ? 'picture' : 'table'}
        choices={[
          { value: 'table', label: 'Table' },
          { value: 'picture', label: 'Picture' },
        ]}
        onChange={(value) => setParams({ 'diff-picture': value === 'picture' ? 1 : null })}
      />
      {!isPicture.value && (
        <button type="button" onClick={() => saveCsv(diffCsv(props.rows), 'diff.csv')}>
          Save CSV
        </button>
      )}
    </div>
  );
}

function Rows(props: { found: Difference; rows: readonly ChangeRow[] }) {
  const { found, rows } = props;
  const left = found.rows.length - rows.length;
  return (
    <>
      {rows.length === 0 ? (
        <p>
          {found.rows.length === 0
            ? 'No function has a value in either profile.'
            : search.value !== ''
              ? 'No row that changed matches the search.'
              : 'None of them changed by more than chance explains. Tick “also what may be chance” to see them all.'}
        </p>
      ) : (
        <DiffTable rows={rows} unit={found.unit} />
      )}
      {left > 0 && rows.length > 0 && (
        <p class="diff-note">{`${left} rows are not shown: unchanged, perhaps by chance, or not searched for.`}</p>
      )}
    </>
  );
}

function Picture() {
  const found = picture.value.value;
  if (picture.error.value !== '') return <Failure message={picture.error.value} />;
  return found ? <DiffIcicle picture={found} /> : <Loading what="Drawing both profiles" />;
}

function Comparison() {
  const found = difference.value.value;
  const isAll = isNoiseShown.value;
  const words = search.value;
  const rows = useMemo(
    () => (found ? shownChanges(found.rows, isAll, parseSearch(words)) : []),
    [found, isAll, words],
  );
  const error = difference.error.value;
  return (
    <>
      <h1>{found ? diffTitle(found, by.value === 'lines' && !isPicture.value) : 'Compare'}</h1>
      <p class="sub">
        {found ? diffText(found) : ''}
        {isScoped.value && ' Whole runs are compared; the restrictions above hold for the other screens.'}
      </p>
      <Toolbar rows={rows} />
      {before.value === after.value ? (
        <p>Both sides are the same profile; choose another one.</p>
      ) : (
        <>
          {error !== '' && <Failure message={error} />}
          {isPicture.value ? (
            <Picture />
          ) : found ? (
            <Rows found={found} rows={rows} />
          ) : (
            error === '' && <Loading what="Comparing" />
          )}
        </>
      )}
    </>
  );
}

export function DiffScreen() {
  if (entries.value.length > 1) return <Comparison />;
  return (
    <Empty title="One profile has nothing to be compared with">
      <p>Open two, the older one first. Any profiles will do, as long as they measured the same thing:</p>
      <Command text={'pyrometer view before after'} />
    </Empty>
  );
}
