#include "analyze/selection.h"

#include <algorithm>

#include "analyze/module_name.h"
#include "analyze/names.h"

namespace pyrometer {
namespace {

double per_call(const CallCost& cost) {
  return cost.calls == 0 ? 0 : static_cast<double>(cost.self) / static_cast<double>(cost.calls);
}

double weight(SortKey key, const FunctionCost& cost) {
  switch (key) {
    case SortKey::kTotal: return static_cast<double>(cost.total);
    case SortKey::kCalls: return static_cast<double>(cost.calls);
    case SortKey::kPrimitiveCalls: return static_cast<double>(cost.primitive_calls);
    case SortKey::kPerCall: return per_call(cost);
    case SortKey::kSamples: return static_cast<double>(cost.samples);
    case SortKey::kStackSamples: return static_cast<double>(cost.stack_samples);
    default: return static_cast<double>(cost.self);
  }
}

// Lines have no calls; whoever asks for their order gets that of their own cost.
double weight(SortKey key, const LineCost& cost) {
  return static_cast<double>(key == SortKey::kTotal ? cost.total : cost.self);
}

std::uint32_t line_of(const Profile& profile, const FunctionCost& cost) {
  return profile.functions[cost.function.row()].first_line;
}
std::uint32_t line_of(const Profile&, const LineCost& cost) { return cost.line; }

template <class Row>
class RowOrder {
 public:
  RowOrder(const Profile& profile, const std::vector<SortKey>& keys)
      : profile_(profile), keys_(keys) {}

  bool operator()(const Row& a, const Row& b) const {
    for (const SortKey key : keys_) {
      if (const int order = compare(key, a, b); order != 0) return order < 0;
    }
    // Rows of the same cost: by the other cost, then by where they stand in the program. Nothing
    // depends on the order in the file, so a run and its merged file list alike.
    if (!keys_.empty() && is_cost(keys_.front())) {
      for (const SortKey key : {SortKey::kSelf, SortKey::kTotal}) {
        if (const int order = compare(key, a, b); order != 0) return order < 0;
      }
    }
    for (const SortKey key : {SortKey::kFile, SortKey::kLine, SortKey::kName}) {
      if (const int order = compare(key, a, b); order != 0) return order < 0;
    }
    return false;
  }

 private:
  const Function& function(const Row& row) const { return profile_.functions[row.function.row()]; }

  // Negative when `a` comes first.
  int compare(SortKey key, const Row& a, const Row& b) const {
    const Function& fa = function(a);
    const Function& fb = function(b);
    switch (key) {
      case SortKey::kName: return display_name(profile_, fa).compare(display_name(profile_, fb));
      case SortKey::kFile:
        return profile_.text(fa.short_file).compare(profile_.text(fb.short_file));
      case SortKey::kLine: return order_of(line_of(profile_, a), line_of(profile_, b));
      case SortKey::kStandardName:
        return standard_name(profile_, fa).compare(standard_name(profile_, fb));
      default: return order_of(weight(key, b), weight(key, a));
    }
  }

  template <class Value>
  static int order_of(Value a, Value b) {
    return a < b ? -1 : static_cast<int>(b < a);
  }

  const Profile& profile_;
  const std::vector<SortKey>& keys_;
};

template <class Row>
std::vector<Row> select_rows(const Profile& profile, const std::vector<Row>& all,
                             const Selection& selection) {
  std::vector<Row> rows;
  for (const Row& row : all) {
    if (is_selected(selection, profile, row.function)) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), RowOrder<Row>(profile, selection.sort));
  if (selection.reverse) std::reverse(rows.begin(), rows.end());
  for (const Restriction& restriction : selection.restrictions) {
    restriction.apply(rows, [&](const Row& row) {
      return standard_name(profile, profile.functions[row.function.row()]);
    });
  }
  return rows;
}

bool fits_part(const PartPattern& part, const Profile& profile, const Function& function) {
  switch (part.part) {
    case PartPattern::Part::kFunction: return part.pattern.matches(display_name(profile, function));
    case PartPattern::Part::kModule: return part.pattern.matches(module_name(profile, function));
    case PartPattern::Part::kFile: break;
  }
  return part.pattern.matches(profile.text(function.file)) ||
         part.pattern.matches(profile.text(function.short_file));
}

}  // namespace

bool has_filters(const Selection& selection) {
  return !selection.keep.empty() || !selection.drop.empty() || !selection.keep_parts.empty() ||
         !selection.drop_parts.empty();
}

bool is_selected(const Selection& selection, const Profile& profile, FunctionId id) {
  if (!has_filters(selection)) return true;
  const Function& function = profile.functions[id.row()];
  const std::string_view name = display_name(profile, function);
  const std::string place = display_place(profile, function);
  const auto fits = [&](const Pattern& pattern) {
    return pattern.matches(name) || pattern.matches(place);
  };
  const auto has_part = [&](const PartPattern& part) { return fits_part(part, profile, function); };
  return std::all_of(selection.keep.begin(), selection.keep.end(), fits) &&
         std::none_of(selection.drop.begin(), selection.drop.end(), fits) &&
         std::all_of(selection.keep_parts.begin(), selection.keep_parts.end(), has_part) &&
         std::none_of(selection.drop_parts.begin(), selection.drop_parts.end(), has_part);
}

std::vector<FunctionCost> select_functions(const Overview& overview, const Selection& selection) {
  return select_rows(overview.profile, overview.graph.functions, selection);
}

std::vector<LineCost> select_lines(const Overview& overview, const Selection& selection) {
  return select_rows(overview.profile, overview.lines, selection);
}

}  // namespace pyrometer
