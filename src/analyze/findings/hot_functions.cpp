// Functions whose own code takes a large part of everything.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr double kWorthSaying = 0.15;
constexpr std::size_t kMost = 3;

// Nothing where no line has a value.
const LineCost* hottest_line(const Overview& overview, FunctionId function) {
  const LineCost* hottest = nullptr;
  for (const LineCost& line : overview.lines) {
    if (line.function == function && (hottest == nullptr || line.own > hottest->own))
      hottest = &line;
  }
  return hottest == nullptr || hottest->own == 0 ? nullptr : hottest;
}

// ", hottest line 61 (40 %)"
std::string words_of(const Overview& overview, const LineCost* hottest) {
  if (hottest == nullptr) return {};
  return fmt::format(", hottest line {} ({:.0f} %)", hottest->line,
                     100 * overview.share(hottest->own));
}

// "wave.py:61, 971 samples"
std::string evidence_of(const std::string& place, std::int64_t samples) {
  if (samples == 0) return place;
  const std::string count = format_count(samples) + (samples == 1 ? " sample" : " samples");
  return place.empty() ? count : fmt::format("{}, {}", place, count);
}

}  // namespace

std::vector<Finding> find_hot_functions(const Overview& overview) {
  const Profile& profile = overview.profile;
  std::vector<FunctionCost> hot;
  for (const FunctionCost& cost : overview.graph.functions) {
    const bool is_code = profile.functions[cost.function.row()].kind != FunctionKind::kLabel;
    if (is_code && overview.is_surely_above(overview.share(cost.self), kWorthSaying)) {
      hot.push_back(cost);
    }
  }
  std::sort(hot.begin(), hot.end(),
            [](const FunctionCost& a, const FunctionCost& b) { return a.self > b.self; });
  if (hot.size() > kMost) hot.resize(kMost);
  std::vector<Finding> findings;
  for (const FunctionCost& cost : hot) {
    const Function& function = profile.functions[cost.function.row()];
    const std::string place = short_place(profile, function);
    const double share = overview.share(cost.self);
    const LineCost* hottest = hottest_line(overview, cost.function);
    findings.push_back(
        {Finding::Kind::kHot, "hot-function",
         fmt::format("{:.0f} % of {} is in {} itself{}{}.", 100 * share,
                     metric_words(profile.metrics[overview.metric.row()]),
                     short_name(profile, function),
                     place.empty() ? "" : fmt::format(" ({})", place), words_of(overview, hottest)),
         share, cost.function, hottest == nullptr ? 0 : hottest->line,
         evidence_of(place, cost.samples)});
  }
  return findings;
}

}  // namespace pyrometer
