// How much of the job's cores the program used.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/efficiency.h"

namespace pyrometer {
namespace {

constexpr double kGood = 0.8;  // as the POP project has it

}  // namespace

std::vector<Finding> find_low_efficiency(const Overview& overview) {
  if (!overview.ranks) return {};
  const Efficiency efficiency = find_efficiency(overview.ranks->list);
  if (!efficiency.withheld.empty() || efficiency.parallel >= kGood) return {};
  const bool is_load = efficiency.load_balance < efficiency.communication;
  return {{Finding::Kind::kHint, "efficiency",
           fmt::format("The parallel efficiency is {:.0f} %: load balance {:.0f} %, communication "
                       "{:.0f} %; {}.",
                       100 * efficiency.parallel, 100 * efficiency.load_balance,
                       100 * efficiency.communication,
                       is_load ? "spread the work more evenly first"
                               : "look at MPI calls, input and output first"),
           1 - efficiency.parallel}};
}

}  // namespace pyrometer
