// Processes whose recording has no proper end: they were killed, or the file was cut.
#include <fmt/format.h>

#include "analyze/findings/findings.h"

namespace pyrometer {
namespace {

struct Ending {
  ProcessStatus status;
  const char* id;
  const char* what;
};
constexpr Ending kEndings[] = {
    {ProcessStatus::kKilled, "killed",
     "was killed or is still running; up to the last second is missing"},
    {ProcessStatus::kTruncated, "truncated",
     "is truncated: killed while writing, or the copy broke off"},
    {ProcessStatus::kDamaged, "damaged", "is damaged; what came before the damage is shown"},
};

}  // namespace

std::vector<Finding> find_incomplete_recordings(const Overview& overview) {
  std::vector<Finding> findings;
  const auto& processes = overview.profile.processes;
  for (const Ending& ending : kEndings) {
    std::size_t count = 0;
    const Process* example = nullptr;
    for (const Process& process : processes) {
      if (process.status != ending.status) continue;
      if (count++ == 0) example = &process;
    }
    if (count == 0) continue;
    std::string sentence = processes.size() == 1
                               ? fmt::format("The recording {}", ending.what)
                               : fmt::format("{} of {} processes: the recording {} (first: {})",
                                             count, processes.size(), ending.what, example->source);
    if (!example->trouble.empty()) sentence += fmt::format(" ({})", example->trouble);
    findings.push_back({Finding::Kind::kWarning, ending.id, sentence + "."});
  }
  return findings;
}

}  // namespace pyrometer
