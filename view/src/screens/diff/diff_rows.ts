// Which of the changes are shown.
import type { Search } from '../../model/search';
import { matchesTexts } from '../../parts/search_texts';
import type { ChangeRow } from './diff_data';

// Those that chance does not explain, unless all are wanted; of these the ones that match the search.
export function shownChanges(rows: readonly ChangeRow[], isAll: boolean, search: Search): ChangeRow[] {
  return rows.filter(
    (row) =>
      (isAll || (row.isSure && row.change !== 0)) && matchesTexts(search, [row.name, row.place, row.source]),
  );
}
