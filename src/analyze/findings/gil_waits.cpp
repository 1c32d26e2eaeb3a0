// Threads that wait for each other's permission to run Python.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

constexpr double kWorthSaying = 0.10;

}  // namespace

std::vector<Finding> find_gil_waits(const Overview& overview) {
  const Profile& profile = overview.profile;
  const auto gil = profile.find_metric(metric::kGilWait);
  const auto wall = profile.find_metric(metric::kWall);
  if (!gil || !wall) return {};
  const std::int64_t all = grand_total(profile, *wall);
  if (all <= 0) return {};
  const double share = static_cast<double>(grand_total(profile, *gil)) / static_cast<double>(all);
  if (!overview.is_surely_above(share, kWorthSaying)) return {};
  return {{Finding::Kind::kHint, "gil-waits",
           fmt::format("Threads wait for the GIL {:.0f} % of their time: more threads will not "
                       "help; use processes, or code that releases it.",
                       100 * share),
           share}};
}

}  // namespace pyrometer
