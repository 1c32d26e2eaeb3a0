#include "analyze/findings/findings.h"

#include <algorithm>
#include <optional>

namespace pyrometer {
namespace {

using FindFunction = std::vector<Finding> (*)(const Overview&);
enum class About { kProgram, kRanks, kMemory };
struct Finder {
  FindFunction find = nullptr;
  About about = About::kProgram;
};
constexpr Finder kFinders[] = {
    {find_incomplete_recordings},
    {find_rank_endings, About::kRanks},
    {find_missing_ranks, About::kRanks},
    {find_wrong_launcher, About::kRanks},
    {find_recorder_messages},
    {find_few_samples},
    {find_oversubscribed_hosts, About::kRanks},
    {find_too_many_threads, About::kRanks},
    {find_estimated_paths},
    {find_hot_functions},
    {find_many_small_calls},
    {find_import_time},
    {find_import_storm, About::kRanks},
    {find_gil_waits},
    {find_blocked_loop},
    {find_waiting_tasks},
    {find_uneven_functions, About::kRanks},
    {find_waits_for_ranks, About::kRanks},
    {find_idle_rank_time, About::kRanks},
    {find_low_efficiency, About::kRanks},
    {find_serial_sections, About::kRanks},
    {find_slow_machines, About::kRanks},
    {find_pickling, About::kRanks},
    {find_memory_limit, About::kMemory},
    {find_host_memory_limit, About::kMemory},
    {find_memory_leaks, About::kMemory},
    {find_uneven_memory, About::kMemory},
    {find_peak_owner, About::kMemory},
    {find_memory_churn, About::kMemory},
    {find_memory_copies, About::kMemory},
    {find_untouched_memory, About::kMemory},
};

// About one thing only, or everything.
std::vector<Finding> find(const Overview& overview, std::optional<About> about = {}) {
  std::vector<Finding> findings;
  for (const Finder& finder : kFinders) {
    if (about && finder.about != *about) continue;
    for (Finding& finding : finder.find(overview)) findings.push_back(std::move(finding));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.share > b.share;
  });
  return findings;
}

}  // namespace

std::vector<Finding> find_all(const Overview& overview) { return find(overview); }

std::vector<Finding> find_all_of_ranks(const Overview& overview) {
  return find(overview, About::kRanks);
}

std::vector<Finding> find_all_of_memory(const Overview& overview) {
  return find(overview, About::kMemory);
}

}  // namespace pyrometer
