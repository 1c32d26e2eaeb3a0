// The lines that spend the most time in MPI by samples, where calls were not timed.
import { useMemo } from 'preact/hooks';
import { linkTo } from '../../app/address';
import { tables } from '../../app/store';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { makeWaitRows } from '../waits/wait_rows';
import { waitValues } from '../waits/wait_values';
import { parallelJob } from './job';

const MOST_LINES = 6;

export function MpiLines() {
  const table = tables.value.value;
  const waits = waitValues.value;
  const mpi = waits?.kinds.find((each) => each.kind === 'mpi');
  const rows = useMemo(() => (table && mpi ? makeWaitRows(table, [mpi], 'line') : []), [table, mpi]);
  if ((parallelJob.value.value?.calls.count ?? 0) > 0) return null;
  if (!table || !waits || !mpi || rows.length === 0) return null;
  return (
    <section class="card mpi-lines">
      <h2>{`MPI by line: ${formatShare(shareOf(mpi.total, waits.whole))} of the time`}</h2>
      <table>
        <tbody>
          {rows.slice(0, MOST_LINES).map((row) => (
            <tr key={`${row.function}:${row.line}`}>
              <td title={nameOf(table, row.function)}>
                <a
                  class="mono"
                  href={linkTo('source', { function: row.function, line: row.line || null, file: null })}
                >
                  {placeOf(table, row.function, row.line || undefined) || nameOf(table, row.function)}
                </a>
                <small>{nameOf(table, row.partner)}</small>
              </td>
              <td class="n">{formatValue(row.total, 'ns')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <a href={linkTo('waits', { 'waits-kind': 'mpi' })}>All lines that wait in MPI</a>
    </section>
  );
}
