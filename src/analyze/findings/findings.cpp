#include "analyze/findings/findings.h"

#include <algorithm>

namespace pyrometer {
namespace {

using FindFunction = std::vector<Finding> (*)(const Overview&);
constexpr FindFunction kFinders[] = {
    find_incomplete_recordings, find_missing_ranks,   find_recorder_messages,
    find_few_samples,           find_estimated_paths, find_hot_functions,
    find_many_small_calls,      find_import_time,     find_gil_waits,
};

}  // namespace

std::vector<Finding> find_all(const Overview& overview) {
  std::vector<Finding> findings;
  for (const FindFunction find : kFinders) {
    for (Finding& finding : find(overview)) findings.push_back(std::move(finding));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.share > b.share;
  });
  return findings;
}

}  // namespace pyrometer
