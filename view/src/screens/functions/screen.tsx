// All functions, sorted and searched; a selected one with those that call it and those it calls.
import { computed, signal } from '@preact/signals';
import { goTo, param, setParams } from '../../app/address';
import {
  functionCosts,
  functionFault,
  isEstimated,
  isWithoutValues,
  onlyLines,
} from '../../app/function_values';
import { NothingRecorded } from '../../app/nothing';
import { kindsByFunction } from '../../app/kind_bars';
import {
  metric,
  profileEntry,
  searchMatches,
  selectedFunction,
  selectFunction,
  tables,
} from '../../app/store';
import { formatCount } from '../../model/format';
import { groupName, type Grouping } from '../../model/functions';
import { saveCsv } from '../../parts/download';
import { Empty, Failure, Loading } from '../../parts/empty';
import { Segmented } from '../../parts/segmented';
import { VirtualTable } from '../../parts/virtual_table';
import { makeColumns } from './columns';
import { formatSorting, nextSorting, orderRows, parseSorting } from './order';
import { makeRows, rowsAsCsv, sortKey, type Rows } from './rows';
import { Sandwich } from './sandwich';
import './functions.css';

const GROUPINGS = [
  { value: 'function', label: 'Functions' },
  { value: 'file', label: 'Files' },
  { value: 'module', label: 'Modules' },
] as const;

const COLUMNS = ['name', 'self', 'total', 'calls', 'percall', 'members', 'place', 'module'];
const TEXT_COLUMNS = ['name', 'place', 'module'];

const grouping = computed<Grouping>(
  () => GROUPINGS.find(({ value }) => value === param('group').value)?.value ?? 'function',
);
const sorting = computed(() =>
  parseSorting(param('sort').value, COLUMNS, { column: 'self', isDescending: true }),
);
const rows = computed<Rows | null>(() => {
  const costs = functionCosts.value;
  const table = tables.value.value;
  return costs && table && makeRows(costs, table, grouping.value, searchMatches.value);
});
// Apart from the order, so that the second click on a title is fast.
const sortColumn = computed(() => sorting.value.column);
const key = computed(() => {
  const table = tables.value.value;
  return rows.value && table && sortKey(rows.value, table, sortColumn.value);
});
const order = computed(() => {
  if (!rows.value || !key.value) return new Uint32Array(0);
  return orderRows(rows.value.matching, key.value, sorting.value.isDescending);
});

// Functions are selected for all screens, groups only here.
const selectedGroup = signal(-1);

function selectedRow(shown: Rows): number {
  if (shown.by !== 'function') return selectedGroup.value;
  const wanted = selectedFunction.value;
  return wanted === null ? -1 : order.value.findIndex((row) => shown.key[row] === wanted);
}

function select(shown: Rows, at: number): void {
  if (shown.by === 'function') selectFunction(shown.key[order.value[at]]);
  else selectedGroup.value = at;
}

// A name as a word of the search that means nothing but itself.
function asPattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&').replace(/\s/g, '\\s');
}

// A group opens as its functions.
function open(shown: Rows, row: number): void {
  const table = tables.value.value;
  if (!table) return;
  if (shown.by === 'function') {
    goTo('source', { function: shown.key[row], line: null });
  } else {
    const name = groupName(table, shown.by, shown.key[row]);
    setParams({ group: null, sort: null, search: asPattern(name) });
  }
}

function Toolbar(props: { rows: Rows }) {
  const table = tables.value.value;
  const shown = props.rows.matching.length;
  const all = props.rows.key.length;
  const exportCsv = () => {
    if (!table) return;
    const unit = metric.value?.unit ?? 'count';
    const name = `${profileEntry.value?.name ?? 'profile'}-${props.rows.by}s.csv`;
    saveCsv(rowsAsCsv(props.rows, table, order.value, unit), name);
  };
  return (
    <div class="toolbar">
      <Segmented
        label="Group by"
        choices={GROUPINGS}
        value={props.rows.by}
        onChange={(by) => {
          selectedGroup.value = -1;
          setParams({ group: by === 'function' ? null : by, sort: null });
        }}
      />
      <span class="count" role="status">
        {shown === all ? formatCount(all) : `${formatCount(shown)} of ${formatCount(all)}`} {props.rows.by}
        {all === 1 ? '' : 's'}
        {props.rows.by !== 'function' && '; Enter or a double click shows the functions of one'}
      </span>
      {isEstimated.value && (
        <span class="badge" title="The file tells who called whom, not whole call paths">
          estimated from calls
        </span>
      )}
      {onlyLines.value === 'time' && (
        <span class="badge" title="Times of lines were measured with the functions that they call">
          with what lines call
        </span>
      )}
      <span class="end">
        <button type="button" onClick={exportCsv}>
          Save as CSV
        </button>
      </span>
    </div>
  );
}

function NoRows(props: { rows: Rows }) {
  if (props.rows.key.length > 0) {
    return (
      <Empty title="Nothing matches the search">
        <p>
          Words are regular expressions and are looked for in names, files and modules; -word leaves out.{' '}
          <button type="button" class="link" onClick={() => setParams({ search: null })}>
            Clear the search
          </button>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No function has a value here">
      <p>
        Nothing was recorded in this metric and scope. Remove a chip above or choose another metric; a program
        that ends at once may be too short to be sampled.
      </p>
    </Empty>
  );
}

export function FunctionsScreen() {
  const table = tables.value.value;
  const shown = rows.value;
  if (functionFault.value) return <Failure message={functionFault.value} />;
  if (isWithoutValues.value) return <NothingRecorded />;
  if (!shown || !table) return <Loading what="Adding up functions" />;
  const inOrder = order.value;
  const unit = metric.value?.unit ?? 'count';
  const by = sorting.value;
  return (
    <div class="functions">
      <h1 class="visually-hidden">Functions</h1>
      <Toolbar rows={shown} />
      <div class={selectedFunction.value === null ? 'split' : 'split open'}>
        {shown.matching.length === 0 ? (
          <NoRows rows={shown} />
        ) : (
          <VirtualTable
            label="Functions"
            columns={makeColumns(
              shown,
              table,
              inOrder,
              unit,
              kindsByFunction.value,
              selectedFunction.value !== null,
            )}
            rowCount={inOrder.length}
            rowKey={(at) => inOrder[at]}
            sorting={by}
            onSort={(column) =>
              setParams({
                sort: formatSorting(nextSorting(by, column, !TEXT_COLUMNS.includes(column))),
              })
            }
            selected={selectedRow(shown)}
            onSelect={(at) => select(shown, at)}
            onOpen={(at) => open(shown, inOrder[at])}
          />
        )}
        {selectedFunction.value !== null && (
          <Sandwich fn={selectedFunction.value} tables={table} unit={unit} />
        )}
      </div>
    </div>
  );
}
