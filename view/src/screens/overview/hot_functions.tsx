import { linkTo } from '../../app/address';
import { functionCosts } from '../../app/function_values';
import { barPieces, kindsByFunction } from '../../app/kind_bars';
import { metric } from '../../app/store';
import type { Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { Bar } from '../../parts/bar';
import { shortPlace } from '../../parts/place';
import { orderRows } from '../functions/order';

const MOST = 10;

export function HotFunctions(props: { tables: Tables }) {
  const costs = functionCosts.value;
  if (!costs) return null;
  const { tables } = props;
  const unit = metric.value?.unit ?? 'count';
  const rows = Uint32Array.from(costs.function.keys());
  const hot = [...orderRows(rows, costs.self, true).slice(0, MOST)].filter((row) => costs.self[row] > 0);
  const most = hot.length > 0 ? costs.self[hot[0]] : 0;
  return (
    <section class="card">
      <h2>Hottest functions, by {metric.value?.label.toLowerCase() ?? 'value'} of their own</h2>
      {hot.length === 0 && <p class="none">No function has a value in this metric and scope.</p>}
      <table class="hot-table">
        <colgroup>
          <col class="what" />
          <col class="how-much" />
          <col class="value" />
          <col class="share" />
        </colgroup>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Bar</th>
            <th scope="col">Self</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {hot.map((row) => {
            const fn = costs.function[row];
            const name = nameOf(tables, fn);
            return (
              <tr key={fn}>
                <td title={`${name}, ${placeOf(tables, fn)}`}>
                  <a class="mono" href={linkTo('functions', { function: fn })}>
                    {name}
                  </a>{' '}
                  <small>{shortPlace(placeOf(tables, fn))}</small>
                </td>
                <td>
                  <Bar pieces={barPieces(kindsByFunction.value, fn, costs.self[row], most)} />
                </td>
                <td class="n">{formatValue(costs.self[row], unit)}</td>
                <td class="n">{formatShare(shareOf(costs.self[row], costs.whole))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {costs.function.length > MOST && <a href={linkTo('functions')}>All functions →</a>}
    </section>
  );
}
