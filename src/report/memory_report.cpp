#include "report/memory_report.h"

#include <algorithm>

namespace pyrometer {

MemorySubject make_memory_subject(const Overview& overview) {
  const Profile& profile = overview.profile;
  MemorySubject subject{.overview = overview,
                        .facts = make_memory_facts(profile),
                        .series = memory_series(profile),
                        .growing = find_growth(profile),
                        .lines = make_memory_lines(profile)};
  subject.spread = spread_of_memory(profile, subject.facts);
  subject.hosts = memory_of_hosts(profile, subject.facts, subject.series);
  return subject;
}

bool has_memory(const MemorySubject& subject) {
  return !subject.facts.processes.empty() || !subject.lines.empty();
}

MemoryOrder order_of(const MemorySubject& subject, const MemoryReportOptions& options) {
  if (options.order) return *options.order;
  const auto* const first =
      std::find_if(std::begin(kMemoryOrders), std::end(kMemoryOrders),
                   [&](const auto& order) { return subject.facts.figures.*order.figure != 0; });
  return first == std::end(kMemoryOrders) ? kMemoryOrders[0] : *first;
}

std::vector<MemorySite> select_memory_sites(const MemorySubject& subject,
                                            const MemoryReportOptions& options) {
  std::vector<MemorySite> sites = memory_sites(subject.profile(), options.unit);
  sort_by(sites, order_of(subject, options).figure);
  std::erase_if(sites, [&](const MemorySite& site) {
    return !is_selected(options.selection, subject.profile(), site.place.function);
  });
  return sites;
}

std::vector<MemoryPath> select_memory_paths(const MemorySubject& subject,
                                            const MemoryReportOptions& options, std::size_t most) {
  const auto is_wanted = [&](const MemoryPlace& place) {
    return is_selected(options.selection, subject.profile(), place.function);
  };
  return memory_paths(subject.profile(), order_of(subject, options).figure, most, is_wanted);
}

std::vector<MemoryFunction> select_memory_lines(const MemorySubject& subject,
                                                const MemoryReportOptions& options) {
  std::vector<MemoryFunction> functions = subject.lines;
  std::erase_if(functions, [&](const MemoryFunction& function) {
    return !is_selected(options.selection, subject.profile(), function.function);
  });
  return functions;
}

std::vector<GrowingMemory> select_growing(const MemorySubject& subject,
                                          const MemoryReportOptions& options) {
  std::vector<GrowingMemory> rows = subject.growing;
  std::erase_if(rows, [&](const GrowingMemory& row) {
    return !is_selected(options.selection, subject.profile(), row.place.function);
  });
  return rows;
}

std::vector<LiveMemory> select_live(const MemorySubject& subject,
                                    const MemoryReportOptions& options) {
  std::vector<LiveMemory> rows = live_at(subject.profile(), options.at.value_or(0));
  std::erase_if(rows, [&](const LiveMemory& row) {
    return !is_selected(options.selection, subject.profile(), row.place.function);
  });
  return rows;
}

}  // namespace pyrometer
