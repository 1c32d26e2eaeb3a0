// Processes that came close to what memory there is.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/memory_facts.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr double kNear = 0.80;

}  // namespace

std::vector<Finding> find_memory_limit(const Overview& overview) {
  const MemoryFacts facts = make_memory_facts(overview.profile);
  const ProcessMemory* worst = nullptr;
  double worst_share = 0;
  std::size_t count = 0;
  for (const ProcessMemory& memory : facts.processes) {
    const double share = memory.share_of_available().value_or(0);
    if (share < kNear) continue;
    ++count;
    if (share > worst_share) {
      worst = &memory;
      worst_share = share;
    }
  }
  if (worst == nullptr) return {};
  const bool is_limit = worst->available() == worst->limit;
  const std::string who =
      facts.processes.size() == 1
          ? "The program"
          : fmt::format("{} of {}", format_count(static_cast<std::int64_t>(count)),
                        format_plural(facts.processes.size(), "process", "processes"));
  return {{Finding::Kind::kWarning, "memory-limit",
           fmt::format("{} came near the end of memory: {} resident, {:.0f} % of {} {}; a little "
                       "more input and it is killed.",
                       who, format_value(Unit::kBytes, worst->resident->bytes), 100 * worst_share,
                       is_limit ? "the limit of" : "the machine's",
                       format_value(Unit::kBytes, *worst->available())),
           0}};
}

}  // namespace pyrometer
