#include "analyze/findings/findings.h"
#include "analyze/memory/memory_facts.h"
#include "report/run_summary.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostSentences = 3;

std::int64_t level(const std::optional<MemoryPeak>& peak) { return peak ? peak->bytes : 0; }

}  // namespace

void add_memory(RunSummary& summary, const Overview& overview) {
  const MemoryFacts facts = make_memory_facts(overview.profile);
  if (facts.processes.empty()) return;
  const bool is_one = facts.processes.size() == 1;
  const ProcessMemory& first = facts.processes[0];
  RunMemory& memory = summary.memory.emplace();
  memory.heap = level(is_one ? first.heap : facts.heap_together);
  memory.resident = level(is_one ? first.resident : facts.resident_together);
  memory.has_owners = has_memory_figures(overview.profile);
  // Warnings are said with all others.
  for (const Finding& finding : find_all_of_memory(overview)) {
    const bool is_warning = finding.kind == Finding::Kind::kWarning;
    if (!is_warning && memory.sentences.size() < kMostSentences) {
      memory.sentences.push_back(finding.sentence);
    }
  }
}

}  // namespace pyrometer
