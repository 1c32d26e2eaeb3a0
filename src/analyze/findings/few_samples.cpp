// Too few samples to trust small shares.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analyze/findings/findings.h"

namespace pyrometer {

namespace {

// As the sampler counts them, where it says so: waits are no samples.
std::int64_t count_samples(const Overview& overview) {
  std::int64_t samples = 0;
  for (const Process& process : overview.profile.processes) {
    for (const auto& [key, value] : process.attributes) {
      std::int64_t taken = 0;
      if (key != "sampler.samples") continue;
      std::from_chars(value.data(), value.data() + value.size(), taken);
      samples += std::max<std::int64_t>(taken, 0);
    }
  }
  return samples == 0 ? overview.samples : std::min(samples, overview.samples);
}

}  // namespace

std::vector<Finding> find_few_samples(const Overview& overview) {
  constexpr std::int64_t kEnough = 100;
  const std::int64_t samples = count_samples(overview);
  // Negative ones are a difference that somebody computed of two profiles.
  if (!overview.profile.is_sampled || samples >= kEnough || samples < 0) return {};
  if (samples == 0) {
    // Traces that other samplers make of their samples have times only.
    const bool counts_samples = overview.profile.find_metric(metric::kSamples).has_value();
    if (overview.total > 0 && !counts_samples) return {};
    return {{Finding::Kind::kWarning, "no-samples",
             "No samples were taken: the program ended too soon; let it run longer."}};
  }
  // Half the width of the 95 % interval of a share of one half, in points.
  const double points = 98 / std::sqrt(static_cast<double>(samples));
  return {{Finding::Kind::kWarning, "few-samples",
           fmt::format("Only {} sample{}: shares are uncertain by up to {:.0f} points; let the "
                       "program run longer or raise the rate.",
                       samples, samples == 1 ? "" : "s", points)}};
}

}  // namespace pyrometer
