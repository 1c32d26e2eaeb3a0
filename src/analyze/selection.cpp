#include "analyze/selection.h"

#include <algorithm>

#include "analyze/names.h"

namespace pyrometer {
namespace {

double per_call(const CallCost& cost) {
  return cost.calls == 0 ? 0 : static_cast<double>(cost.self) / static_cast<double>(cost.calls);
}

// Negative: a comes first. Ties are broken by the profile's order, so output is stable.
bool comes_before(const Profile& profile, SortKey sort, const FunctionCost& a,
                  const FunctionCost& b) {
  const Function& fa = profile.functions[a.function.row()];
  const Function& fb = profile.functions[b.function.row()];
  switch (sort) {
    case SortKey::kSelf: return a.self > b.self;
    case SortKey::kTotal: return a.total > b.total;
    case SortKey::kCalls: return a.calls > b.calls;
    case SortKey::kPrimitiveCalls: return a.primitive_calls > b.primitive_calls;
    case SortKey::kPerCall: return per_call(a) > per_call(b);
    case SortKey::kName: return display_name(profile, fa) < display_name(profile, fb);
    case SortKey::kFile:
      return std::pair(profile.text(fa.short_file), fa.first_line) <
             std::pair(profile.text(fb.short_file), fb.first_line);
  }
  return false;
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
  const bool by_total = selection.sort == SortKey::kTotal;
  if (selection.sort == SortKey::kFile || selection.sort == SortKey::kName) return lines;
  std::stable_sort(lines.begin(), lines.end(), [&](const LineCost& a, const LineCost& b) {
    return by_total ? a.total > b.total : a.self > b.self;
  });
  return lines;
}

}  // namespace pyrometer
