// Too few samples to trust small shares.
#include <fmt/format.h>

#include <cmath>

#include "analyze/findings/findings.h"

namespace pyrometer {

std::vector<Finding> find_few_samples(const Overview& overview) {
  constexpr std::int64_t kEnough = 100;
  if (!overview.profile.is_sampled || overview.samples >= kEnough) return {};
  if (overview.samples == 0) {
    return {{Finding::Kind::kWarning, "no-samples",
             "No samples were taken: the program ended too soon; let it run longer."}};
  }
  // Half the width of the 95 % interval of a share of one half, in points.
  const double points = 98 / std::sqrt(static_cast<double>(overview.samples));
  return {{Finding::Kind::kWarning, "few-samples",
           fmt::format("Only {} sample{}: shares are uncertain by up to {:.0f} points; let the "
                       "program run longer or raise the rate.",
                       overview.samples, overview.samples == 1 ? "" : "s", points)}};
}

}  // namespace pyrometer
