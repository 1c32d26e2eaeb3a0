#include "analyze/selection.h"

#include <algorithm>
#include <tuple>

#include "analyze/names.h"

namespace pyrometer {
namespace {

double per_call(const CallCost& cost) {
  return cost.calls == 0 ? 0 : static_cast<double>(cost.self) / static_cast<double>(cost.calls);
}

// What a row is sorted by: larger first, then by where it stands in the program. Nothing
// depends on the order in the file, so a run and its merged file list alike.
using Weight = std::tuple<double, std::int64_t>;
using Standing = std::tuple<std::string_view, std::uint32_t, std::string_view>;

Standing standing(const Profile& profile, FunctionId id, std::uint32_t line) {
  const Function& function = profile.functions[id.row()];
  return {profile.text(function.short_file), line, display_name(profile, function)};
}

Weight weight(SortKey sort, const FunctionCost& cost) {
  switch (sort) {
    case SortKey::kSelf: return {static_cast<double>(cost.self), cost.total};
    case SortKey::kTotal: return {static_cast<double>(cost.total), cost.self};
    case SortKey::kCalls: return {static_cast<double>(cost.calls), cost.self};
    case SortKey::kPrimitiveCalls: return {static_cast<double>(cost.primitive_calls), cost.self};
    case SortKey::kPerCall: return {per_call(cost), cost.self};
    case SortKey::kName:
    case SortKey::kFile: break;  // by standing alone
  }
  return {0, 0};
}

Weight weight(SortKey sort, const LineCost& cost) {
  if (sort == SortKey::kName || sort == SortKey::kFile) return {0, 0};
  const bool by_total = sort == SortKey::kTotal;
  return {static_cast<double>(by_total ? cost.total : cost.self),
          by_total ? cost.self : cost.total};
}

bool comes_before(const Profile& profile, SortKey sort, const FunctionCost& a,
                  const FunctionCost& b) {
  const Function& fa = profile.functions[a.function.row()];
  const Function& fb = profile.functions[b.function.row()];
  if (sort == SortKey::kName && display_name(profile, fa) != display_name(profile, fb)) {
    return display_name(profile, fa) < display_name(profile, fb);
  }
  const Weight wa = weight(sort, a);
  const Weight wb = weight(sort, b);
  return wa != wb ? wa > wb
                  : standing(profile, a.function, fa.first_line) <
                        standing(profile, b.function, fb.first_line);
}

bool comes_before(const Profile& profile, SortKey sort, const LineCost& a, const LineCost& b) {
  const Weight wa = weight(sort, a);
  const Weight wb = weight(sort, b);
  return wa != wb ? wa > wb
                  : standing(profile, a.function, a.line) < standing(profile, b.function, b.line);
}

}  // namespace

bool is_selected(const Selection& selection, const Profile& profile, FunctionId id) {
  if (selection.keep.empty() && selection.drop.empty()) return true;
  const Function& function = profile.functions[id.row()];
  const std::string_view name = display_name(profile, function);
  const std::string place = display_place(profile, function);
  const auto fits = [&](const Pattern& pattern) {
    return pattern.matches(name) || pattern.matches(place);
  };
  return std::all_of(selection.keep.begin(), selection.keep.end(), fits) &&
         std::none_of(selection.drop.begin(), selection.drop.end(), fits);
}

std::vector<FunctionCost> select_functions(const Overview& overview, const Selection& selection) {
  std::vector<FunctionCost> functions;
  for (const FunctionCost& cost : overview.graph.functions) {
    if (is_selected(selection, overview.profile, cost.function)) functions.push_back(cost);
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [&](const FunctionCost& a, const FunctionCost& b) {
                     return comes_before(overview.profile, selection.sort, a, b);
                   });
  return functions;
}

std::vector<LineCost> select_lines(const Overview& overview, const Selection& selection) {
  std::vector<LineCost> lines;
  for (const LineCost& line : overview.lines) {
    if (is_selected(selection, overview.profile, line.function)) lines.push_back(line);
  }
  std::stable_sort(lines.begin(), lines.end(), [&](const LineCost& a, const LineCost& b) {
    return comes_before(overview.profile, selection.sort, a, b);
  });
  return lines;
}

}  // namespace pyrometer
