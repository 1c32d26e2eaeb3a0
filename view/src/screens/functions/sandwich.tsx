// One function between its callers and its callees; a click walks on.
import { computed } from '@preact/signals';
import { linkTo } from '../../app/address';
import {
  areCallsUnscoped,
  functionCosts,
  isEstimated,
  recordedEdges,
  usesRecorded,
} from '../../app/function_values';
import { shownTree } from '../../app/shown_tree';
import { selectedFunction, selectFunction } from '../../app/store';
import { NONE, type Tables, type Unit } from '../../data/types';
import { formatCount, formatShare, formatValue, nameOf, placeOf } from '../../model/format';
import { calleesOf, callersOf } from '../../model/sandwich';
import { Bar } from '../../parts/bar';
import { cappedShare } from '../../parts/share';
import { calleesByEdges, callersByEdges, type Neighbour } from './neighbours';

const MOST_ROWS = 200;

const uncounted = (row: { function: number; total: number; self: number }): Neighbour => ({
  ...row,
  calls: 0,
});

const sides = computed<{ callers: Neighbour[]; callees: Neighbour[] } | null>(() => {
  const fn = selectedFunction.value;
  if (fn === null) return null;
  if (usesRecorded.value) {
    const edges = recordedEdges.value.value;
    return edges && { callers: callersByEdges(edges, fn), callees: calleesByEdges(edges, fn) };
  }
  const tree = shownTree.value;
  return tree && { callers: callersOf(tree, fn).map(uncounted), callees: calleesOf(tree, fn).map(uncounted) };
});

function Side(props: {
  title: string;
  none: string;
  rows: readonly Neighbour[];
  whole: number;
  unit: Unit;
  tables: Tables;
}) {
  const hidden = props.rows.length - MOST_ROWS;
  const areCounted = props.rows.some((row) => row.calls > 0);
  return (
    <section>
      <h2>{props.title}</h2>
      {props.rows.length === 0 ? (
        <p class="none">{props.none}</p>
      ) : (
        <table aria-label={props.title}>
          <colgroup>
            <col />
            <col class="share" />
            <col class="value" />
            {areCounted && <col class="calls" />}
          </colgroup>
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Function</th>
              <th scope="col">Share</th>
              <th scope="col">Value</th>
              {areCounted && <th scope="col">Calls</th>}
            </tr>
          </thead>
          <tbody>
            {props.rows.slice(0, MOST_ROWS).map((row) => {
              const share = cappedShare(row.total, props.whole);
              const name = nameOf(props.tables, row.function);
              return (
                <tr key={row.function}>
                  <td class="name">
                    <button
                      type="button"
                      class="link mono"
                      title={`${name}, ${placeOf(props.tables, row.function)}`}
                      onClick={() => selectFunction(row.function)}
                    >
                      {name}
                    </button>
                  </td>
                  <td class="part">
                    <Bar pieces={[{ id: 'heat2', share }]} />
                    <small>{formatShare(share)}</small>
                  </td>
                  <td class="n">{formatValue(row.total, props.unit)}</td>
                  {areCounted && <td class="n">{formatCount(row.calls)}×</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {hidden > 0 && <p class="none">and {formatCount(hidden)} more</p>}
    </section>
  );
}

export function Sandwich(props: { fn: number; tables: Tables; unit: Unit }) {
  const { fn, tables, unit } = props;
  const costs = functionCosts.value;
  const at = costs ? costs.function.indexOf(fn) : -1;
  const self = costs && at >= 0 ? costs.self[at] : 0;
  const total = costs && at >= 0 ? costs.total[at] : 0;
  const calls = costs && at >= 0 ? (costs.calls?.[at] ?? 0) : 0;
  const whole = costs?.whole ?? 0;
  const name = nameOf(tables, fn);
  const shares = (value: number) => formatShare(cappedShare(value, whole));
  return (
    <section class="sandwich" aria-label={`Callers and callees of ${name}`}>
      <Side
        title={isEstimated.value ? 'Called by (estimated)' : 'Called by'}
        none="Nothing recorded calls it: it begins a thread or the program."
        rows={sides.value?.callers ?? []}
        whole={total}
        unit={unit}
        tables={tables}
      />
      <section class="filling">
        <button type="button" class="close" aria-label="Close" onClick={() => selectFunction(null)}>
          ×
        </button>
        <b class="mono">{name}</b>
        <small>{placeOf(tables, fn)}</small>
        <div>
          total {formatValue(total, unit)}, {shares(total)}; self {formatValue(self, unit)}, {shares(self)}
          {calls > 0 && `; ${formatCount(calls)} calls`}
        </div>
        <div class="links">
          {tables.functions.file[fn] !== NONE && (
            <a href={linkTo('source', { function: fn, file: null, line: null })}>Source</a>
          )}
          <a href={linkTo('flame', { function: fn })}>Flame</a>
          <a href={linkTo('graph', { function: fn })}>Call graph</a>
        </div>
      </section>
      <Side
        title={isEstimated.value ? 'Calls (estimated)' : 'Calls'}
        none="It calls nothing that was recorded."
        rows={sides.value?.callees ?? []}
        whole={total}
        unit={unit}
        tables={tables}
      />
      {areCallsUnscoped.value && (
        <p class="none">Callers and callees are those of the whole run: the file does not tell them apart.</p>
      )}
    </section>
  );
}
