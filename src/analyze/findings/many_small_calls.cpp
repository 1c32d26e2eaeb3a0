// A cheap function called very often: the calls themselves are the cost.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/names.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMany = 100'000;
constexpr std::int64_t kSmall = 10'000;  // ns per call
constexpr double kWorthSaying = 0.10;

}  // namespace

std::vector<Finding> find_many_small_calls(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (profile.metrics[overview.metric.row()].unit != Unit::kNanoseconds) return {};
  const FunctionCost* worst = nullptr;
  for (const FunctionCost& cost : overview.graph.functions) {
    const bool fits = cost.calls >= kMany && cost.self / cost.calls < kSmall &&
                      overview.is_surely_above(overview.share(cost.self), kWorthSaying);
    if (fits && (worst == nullptr || cost.self > worst->self)) worst = &cost;
  }
  if (worst == nullptr) return {};
  const Function& function = profile.functions[worst->function.row()];
  const double share = overview.share(worst->self);
  return {{Finding::Kind::kHint, "many-small-calls",
           fmt::format("{} is called {} times at {:.1f} µs each, {:.0f} % of {}: do more per call, "
                       "or call it less.",
                       short_name(profile, function), worst->calls,
                       static_cast<double>(worst->self) / static_cast<double>(worst->calls) / 1000,
                       100 * share, metric_words(profile.metrics[overview.metric.row()])),
           share, worst->function, 0, short_place(profile, function)}};
}

}  // namespace pyrometer
