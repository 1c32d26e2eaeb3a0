// Which of the changes are shown.
import type { Search } from '../../model/search';
import type { ChangeRow } from './diff_data';

// Those that chance does not explain, unless all are wanted; of these the ones that match the search.
export function shownChanges(rows: readonly ChangeRow[], isAll: boolean, search: Search): ChangeRow[] {
  const matches = (expression: RegExp, row: ChangeRow) =>
    expression.test(row.name) || expression.test(row.place) || expression.test(row.source);
  return rows.filter(
    (row) =>
      (isAll || (row.isSure && row.change !== 0)) &&
      search.include.every((expression) => matches(expression, row)) &&
      !search.exclude.some((expression) => matches(expression, row)),
  );
}
