#include "analyze/memory/memory_facts.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>

#include "analyze/memory/memory_clock.h"
#include "analyze/ranks/rank_list.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kMostBits = 64;

std::optional<std::int64_t> bytes_attribute(const Process& process, std::string_view key) {
  const std::int64_t bytes = number_attribute(process, key, -1);
  return bytes < 0 ? std::nullopt : std::optional(bytes);
}

// "11:500": 500 allocations of 1,024 to 2,047 bytes. What is not like this is left out.
void add_sizes(std::string_view words, std::map<std::uint32_t, std::int64_t>& counts) {
  while (!words.empty()) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, blank);
    words.remove_prefix(std::min(blank + 1, words.size()));
    std::uint32_t bits = 0;
    std::int64_t count = 0;
    const char* const end = word.data() + word.size();
    const auto [colon, error] = std::from_chars(word.data(), end, bits);
    if (error != std::errc() || colon == end || *colon != ':' || bits > kMostBits) continue;
    const auto [stop, bad_count] = std::from_chars(colon + 1, end, count);
    if (bad_count == std::errc() && stop == end && count > 0) counts[bits] += count;
  }
}

// What the process itself says is exact, where counters have only the largest of each interval.
std::optional<MemoryPeak> better_peak(std::optional<MemoryPeak> counted,
                                      std::optional<std::int64_t> bytes,
                                      std::optional<std::int64_t> time) {
  if (!bytes) return counted;
  if (!time && counted) time = counted->time;
  return MemoryPeak{*bytes, time};
}

ProcessMemory memory_of_process(const Profile& profile, ProcessId id, const MemoryClock& clock,
                                const std::vector<MemorySeries>& series) {
  const Process& process = profile.processes[id.row()];
  const auto bytes = [&](std::string_view key) { return bytes_attribute(process, key); };
  const auto heap_time = bytes(memory_attribute::kHeapPeakTime);
  return {
      .process = id,
      .heap =
          better_peak(highest_of(find_series(series, id, MemorySeries::Kind::kHeap)),
                      bytes(memory_attribute::kHeapPeak),
                      heap_time ? std::optional(clock.common_time(id, *heap_time)) : std::nullopt),
      .resident = better_peak(highest_of(find_series(series, id, MemorySeries::Kind::kResident)),
                              bytes(memory_attribute::kResidentPeak), std::nullopt),
      .limit = bytes(memory_attribute::kLimit),
      .cgroup_peak = bytes(memory_attribute::kCgroupPeak),
      .physical = bytes(memory_attribute::kPhysical),
      .figures = memory_of(profile, id)};
}

bool says_anything(const ProcessMemory& memory) {
  const auto is_set = [&](const MemoryMetric& each) { return memory.figures.*each.figure != 0; };
  return memory.heap || memory.resident ||
         std::any_of(std::begin(kMemoryMetrics), std::end(kMemoryMetrics), is_set);
}

}  // namespace

std::optional<double> ProcessMemory::share_of_available() const {
  const auto there_is = available();
  if (!resident || !there_is || *there_is <= 0) return std::nullopt;
  return static_cast<double>(resident->bytes) / static_cast<double>(*there_is);
}

std::int64_t ProcessMemory::height() const {
  const auto& peak = heap ? heap : resident;
  return peak ? peak->bytes : figures.peak;
}

MemoryFacts make_memory_facts(const Profile& profile) {
  const MemoryClock clock(profile);
  const std::vector<MemorySeries> series = memory_series(profile);
  MemoryFacts facts{.duration = clock.duration()};
  std::map<std::uint32_t, std::int64_t> sizes;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const ProcessMemory memory =
        memory_of_process(profile, ProcessId::from_index(i), clock, series);
    if (!says_anything(memory)) continue;
    const std::string mode = attribute(profile.processes[i], memory_attribute::kMode);
    facts.mode = facts.processes.empty() || facts.mode == mode ? mode : "";
    facts.figures += memory.figures;
    add_sizes(attribute(profile.processes[i], memory_attribute::kSizes), sizes);
    facts.processes.push_back(memory);
  }
  for (const auto& [bits, count] : sizes) facts.sizes.push_back({bits, count});
  if (facts.processes.size() > 1) {
    const MemorySeries heap = series_together(series, MemorySeries::Kind::kHeap);
    const MemorySeries resident = series_together(series, MemorySeries::Kind::kResident);
    facts.heap_together = highest_of(&heap);
    facts.resident_together = highest_of(&resident);
  }
  return facts;
}

}  // namespace pyrometer
