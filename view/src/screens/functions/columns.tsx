import { barPieces, type KindSums } from '../../app/kind_bars';
import type { Tables, Unit } from '../../data/types';
import { formatCount, formatValue } from '../../model/format';
import { shortPlace } from '../../parts/place';
import { ValueCell } from '../../parts/value_cell';
import type { Column } from '../../parts/virtual_table';
import { perCall, rowModule, rowName, rowPlace, type Rows } from './rows';

const NAME_TITLES = { function: 'Function', file: 'File', module: 'Module' };

export function makeColumns(
  rows: Rows,
  tables: Tables,
  order: Uint32Array,
  unit: Unit,
  kinds: readonly KindSums[],
  isNarrow: boolean, // there is room for what matters only
): Column[] {
  const isByFunction = rows.by === 'function';
  const columns: Column[] = [
    {
      id: 'name',
      title: NAME_TITLES[rows.by],
      width: 'minmax(160px, 3fr)',
      cell: (at) => {
        const name = rowName(rows, tables, order[at]);
        return (
          <span class="mono" title={name}>
            {name}
          </span>
        );
      },
    },
    {
      id: 'self',
      title: 'Self',
      hint: 'In the function itself, without what it calls',
      width: '180px',
      isNumber: true,
      cell: (at) => {
        const row = order[at];
        const pieces = barPieces(isByFunction ? kinds : [], rows.key[row], rows.self[row], rows.whole);
        return <ValueCell value={rows.self[row]} whole={rows.whole} unit={unit} pieces={pieces} />;
      },
    },
    {
      id: 'total',
      title: 'Total',
      hint: 'With everything it calls; recursion counts once',
      width: '180px',
      isNumber: true,
      cell: (at) => {
        const value = rows.total[order[at]];
        const pieces = barPieces([], 0, value, rows.whole);
        return <ValueCell value={value} whole={rows.whole} unit={unit} pieces={pieces} />;
      },
    },
  ];
  if (rows.calls) {
    const { calls } = rows;
    columns.push(
      {
        id: 'calls',
        title: 'Calls',
        width: '84px',
        isNumber: true,
        cell: (at) => (calls[order[at]] > 0 ? formatCount(calls[order[at]]) : ''),
      },
      {
        id: 'percall',
        title: 'Per call',
        hint: 'Total divided by calls',
        width: '84px',
        isNumber: true,
        cell: (at) => {
          const value = perCall(rows, order[at]);
          return value < 0 ? '' : formatValue(value, unit);
        },
      },
    );
  }
  if (rows.members) {
    const { members } = rows;
    columns.push({
      id: 'members',
      title: 'Functions',
      width: '84px',
      isNumber: true,
      cell: (at) => formatCount(members[order[at]]),
    });
  }
  if (rows.by !== 'module' && !(isNarrow && rows.calls)) {
    columns.push({
      id: 'place',
      title: isByFunction ? 'Place' : 'Path',
      width: 'minmax(110px, 1.4fr)',
      cell: (at) => {
        const place = rowPlace(rows, tables, order[at]);
        return <span title={place}>{shortPlace(place)}</span>;
      },
    });
  }
  if (isByFunction && !isNarrow) {
    columns.push({
      id: 'module',
      title: 'Module',
      width: 'minmax(90px, 1fr)',
      cell: (at) => {
        const module = rowModule(rows, tables, order[at]);
        return <span title={module}>{module}</span>;
      },
    });
  }
  return columns;
}
