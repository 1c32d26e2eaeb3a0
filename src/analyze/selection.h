// Which functions a view shows, and in which order.
#pragma once

#include <optional>
#include <vector>

#include "analyze/overview.h"
#include "base/pattern.h"

namespace pyrometer {

enum class SortKey { kSelf, kTotal, kCalls, kPrimitiveCalls, kPerCall, kName, kFile };

struct Selection {
  SortKey sort = SortKey::kSelf;
  std::optional<std::size_t> limit;
  std::vector<Pattern> keep;  // all must match the name or the place
  std::vector<Pattern> drop;  // none may
};

bool is_selected(const Selection& selection, const Profile& profile, FunctionId id);

// Filtered and sorted, not yet limited.
std::vector<FunctionCost> select_functions(const Overview& overview, const Selection& selection);
std::vector<LineCost> select_lines(const Overview& overview, const Selection& selection);

// At most the selection's number of rows.
template <class Row>
void limit_rows(std::vector<Row>& rows, const Selection& selection) {
  if (selection.limit && rows.size() > *selection.limit) {
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(*selection.limit), rows.end());
  }
}

}  // namespace pyrometer
