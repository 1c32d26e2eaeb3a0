// Ranks whose numerical libraries start more threads than their host has cores.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analyze/findings/findings.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

// "openblas 8": what the library itself says. Without a number, nobody knows.
std::int64_t threads_of_library(const std::string& words) {
  const std::size_t space = words.rfind(' ');
  if (space == std::string::npos) return 0;
  std::int64_t threads = 0;
  const char* const end = words.data() + words.size();
  const auto [stop, error] = std::from_chars(words.data() + space + 1, end, threads);
  return error == std::errc() && stop == end ? std::max<std::int64_t>(0, threads) : 0;
}

}  // namespace

std::vector<Finding> find_too_many_threads(const Overview& overview) {
  if (!overview.ranks) return {};
  const RankList& list = overview.ranks->list;
  struct Crowd {
    std::int64_t threads = 0;
    std::string library;
  };
  std::vector<Crowd> crowds(list.hosts.size());
  for (const JobRank& rank : list.ranks) {
    const Process& process = overview.profile.processes[rank.process.row()];
    const std::string library = attribute(process, "blas");
    const std::int64_t threads = threads_of_library(library);
    // A rank that has one thread per core of its own crowds nobody out.
    crowds[rank.host].threads += std::max<std::int64_t>(1, threads);
    if (threads > 1) crowds[rank.host].library = library;
  }
  for (std::size_t i = 0; i < crowds.size(); ++i) {
    const RankHost& host = list.hosts[i];
    if (crowds[i].library.empty() || host.cores <= 0 || crowds[i].threads <= host.cores) continue;
    return {{Finding::Kind::kWarning, "too-many-threads",
             fmt::format(
                 "{} ranks on {} may compute with {} threads in all on {} core{} ({} each): "
                 "set OMP_NUM_THREADS to {}.",
                 host.ranks, printable(host.name), crowds[i].threads, host.cores,
                 host.cores == 1 ? "" : "s", printable(crowds[i].library),
                 std::max<std::int64_t>(1, host.cores / static_cast<std::int64_t>(host.ranks)))}};
  }
  return {};
}

}  // namespace pyrometer
