// Time spent importing modules.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/names.h"

namespace pyrometer {
namespace {

constexpr double kWorthSaying = 0.10;

}  // namespace

std::vector<Finding> find_import_time(const Overview& overview) {
  const Profile& profile = overview.profile;
  for (const FunctionCost& cost : overview.graph.functions) {
    const Function& function = profile.functions[cost.function.row()];
    const bool is_import =
        profile.text(function.name) == "_find_and_load" &&
        profile.text(function.file).find("importlib._bootstrap") != std::string_view::npos;
    const double share = overview.share(cost.total);
    if (is_import && overview.is_surely_above(share, kWorthSaying)) {
      return {{Finding::Kind::kHint, "import-time",
               fmt::format("Importing modules takes {:.0f} % of {}.", 100 * share,
                           metric_words(profile.metrics[overview.metric.row()])),
               share, cost.function}};
    }
  }
  return {};
}

}  // namespace pyrometer
