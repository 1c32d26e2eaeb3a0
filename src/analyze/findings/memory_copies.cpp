// One line that copies so much that the copying itself takes a good part of the time.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/memory/memory_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMuch = 1'000'000'000;
// Memory is copied at 5 to 15 GB/s, so this is a tenth to a thirtieth of the time.
constexpr double kMuchPerSecond = 500e6;

// Of CPU time where that is known, else of the time of all processes.
double seconds_of(const Overview& overview) {
  const Profile& profile = overview.profile;
  std::int64_t time = 0;
  if (const auto cpu = profile.find_metric(metric::kCpu)) {
    for (const auto& totals : profile.process_totals) time += totals[cpu->row()];
  }
  if (time == 0) {
    for (const Process& process : profile.processes) time += process.duration;
  }
  return static_cast<double>(time) / 1e9;
}

}  // namespace

std::vector<Finding> find_memory_copies(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (!profile.find_metric(metric::kCopied)) return {};
  std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  std::int64_t all = 0;
  for (const MemorySite& site : sites) all += site.figures.copied;
  sort_by(sites, &MemoryFigures::copied);
  if (sites.empty()) return {};
  const MemorySite& first = sites.front();
  const auto copied = static_cast<double>(first.figures.copied);
  if (first.figures.copied < kMuch || copied < kMuchPerSecond * seconds_of(overview)) return {};
  const std::int64_t copies = std::max<std::int64_t>(first.figures.copies, 1);
  return {{Finding::Kind::kHint, "memory-copies",
           fmt::format("{} were copied, {} of it by {}, {} at a time: pass views of arrays and "
                       "buffers, or fill what is there (out=, memoryview, readinto).",
                       format_value(Unit::kBytes, all),
                       format_value(Unit::kBytes, first.figures.copied),
                       site_words(profile, first, &MemoryFigures::copied),
                       format_value(Unit::kBytes, first.figures.copied / copies)),
           0, first.place.function, first.place.line,
           fmt::format("{} copies", format_count(first.figures.copies))}};
}

}  // namespace pyrometer
