// Which functions a view shows, and in which order.
#pragma once

#include <optional>
#include <vector>

#include "analyze/overview.h"
#include "analyze/restriction.h"
#include "analyze/sort_order.h"
#include "base/pattern.h"

namespace pyrometer {

// A pattern for one part of a function's name.
struct PartPattern {
  enum class Part { kFunction, kFile, kModule };
  Part part = Part::kFunction;
  Pattern pattern;
};

struct Selection {
  std::vector<SortKey> sort = {SortKey::kSelf};  // the first that tells two rows apart decides
  bool is_default_order = true;                  // nobody asked for it
  bool reverse = false;
  std::optional<std::size_t> limit;
  std::vector<Pattern> keep;              // all must match the name or the place
  std::vector<Pattern> drop;              // none may
  std::vector<PartPattern> keep_parts;    // all must match
  std::vector<PartPattern> drop_parts;    // none may
  std::vector<Restriction> restrictions;  // of the sorted rows, one after the other
};

// Whether it leaves functions out by their names.
bool has_filters(const Selection& selection);

bool is_selected(const Selection& selection, const Profile& profile, FunctionId id);

// Filtered, sorted and restricted, not yet limited.
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
