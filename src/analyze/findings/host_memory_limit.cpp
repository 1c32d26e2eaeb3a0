// Ranks that together came close to what memory their machine has.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/host_memory.h"
#include "base/format_value.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr double kNear = 0.80;

}  // namespace

std::vector<Finding> find_host_memory_limit(const Overview& overview) {
  const Profile& profile = overview.profile;
  const std::vector<HostMemory> hosts =
      memory_of_hosts(profile, make_memory_facts(profile), memory_series(profile));
  const HostMemory* worst = nullptr;
  std::size_t count = 0;
  for (const HostMemory& host : hosts) {
    // Of one rank alone, memory-limit speaks. More than there is: pages are shared.
    const double share = host.share().value_or(0);
    if (host.ranks < 2 || share < kNear || share > 1) continue;
    ++count;
    if (worst == nullptr || *host.share() > *worst->share()) worst = &host;
  }
  if (worst == nullptr) return {};
  const std::string more =
      count > 1 ? fmt::format(", and {} more hosts are as full", count - 1) : "";
  return {{Finding::Kind::kWarning, "host-memory",
           fmt::format("The {} ranks on {} came near the end of its memory together: {} "
                       "resident at {}, {:.0f} % of {} {}{}; put fewer of them on a host.",
                       worst->ranks, worst->name.empty() ? "the machine" : printable(worst->name),
                       format_value(Unit::kBytes, worst->resident->bytes),
                       format_value(Unit::kNanoseconds, worst->resident->time.value_or(0)),
                       100 * *worst->share(), worst->is_limit ? "the limit of" : "the machine's",
                       format_value(Unit::kBytes, *worst->available), more)}};
}

}  // namespace pyrometer
