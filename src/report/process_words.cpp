#include "report/process_words.h"

#include <fmt/format.h>

#include "analyze/ranks/rank_list.h"
#include "base/signal_name.h"

namespace pyrometer {

std::string process_words(const Process& process) {
  std::string words;
  if (process.rank >= 0) words = fmt::format("rank {}, ", process.rank);
  if (process.pid == 0) return words + process.source;
  return words + fmt::format("{}:{}", process.host, process.pid);
}

std::string short_process_words(const Process& process) {
  if (process.rank >= 0) return fmt::format("rank {}", process.rank);
  if (process.host.empty() && process.pid != 0) return fmt::format("child {}", process.pid);
  return process_words(process);
}

std::string status_words(const Process& process) {
  if (process.exit_status && *process.exit_status != 0) {
    return fmt::format("exit status {}", *process.exit_status);
  }
  const std::int64_t signal = number_attribute(process, "signal", 0);
  if (process.status == ProcessStatus::kKilled && signal > 0)
    return "killed by " + signal_words(signal);
  return std::string(name_of(process.status));
}

}  // namespace pyrometer
