// What is known of the memory that something allocated or copied: a line, a function, a process.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/profile.h"

namespace pyrometer {

struct MemoryFigures {
  std::int64_t peak = 0;       // bytes held when its process had most
  std::int64_t live = 0;       // bytes not yet freed at the end
  std::int64_t allocated = 0;  // bytes, ever
  std::int64_t temporary = 0;  // bytes that were soon freed again
  std::int64_t untouched = 0;  // live bytes that were never used
  std::int64_t allocations = 0;
  std::int64_t live_blocks = 0;
  std::int64_t copied = 0;  // bytes, by memcpy and its relatives
  std::int64_t copies = 0;
  // Of three of them, the parts of NumPy and of other native libraries; the rest is Python's.
  std::int64_t peak_numpy = 0, peak_native = 0;
  std::int64_t live_numpy = 0, live_native = 0;
  std::int64_t allocated_numpy = 0, allocated_native = 0;
};

using MemoryFigure = std::int64_t MemoryFigures::*;

struct MemoryMetric {
  std::string_view name;  // of the profile's metric
  MemoryFigure figure;
};
inline constexpr MemoryMetric kMemoryMetrics[] = {
    {metric::kPeak, &MemoryFigures::peak},
    {metric::kLive, &MemoryFigures::live},
    {metric::kAllocated, &MemoryFigures::allocated},
    {metric::kTemporary, &MemoryFigures::temporary},
    {metric::kUntouched, &MemoryFigures::untouched},
    {metric::kAllocations, &MemoryFigures::allocations},
    {metric::kLiveBlocks, &MemoryFigures::live_blocks},
    {metric::kCopied, &MemoryFigures::copied},
    {metric::kCopies, &MemoryFigures::copies},
    {metric::kPeakNumpy, &MemoryFigures::peak_numpy},
    {metric::kPeakNative, &MemoryFigures::peak_native},
    {metric::kLiveNumpy, &MemoryFigures::live_numpy},
    {metric::kLiveNative, &MemoryFigures::live_native},
    {metric::kAllocatedNumpy, &MemoryFigures::allocated_numpy},
    {metric::kAllocatedNative, &MemoryFigures::allocated_native},
};

// Calls use(figure, metric) for those that the profile has.
template <class Use>
void for_each_memory_metric(const Profile& profile, Use use) {
  for (const MemoryMetric& known : kMemoryMetrics) {
    if (const auto metric = profile.find_metric(known.name)) use(known.figure, *metric);
  }
}

// Whether it says who allocated.
bool has_memory_figures(const Profile& profile);

MemoryFigures memory_of(const Profile& profile, ProcessId process);

MemoryFigures& operator+=(MemoryFigures& sum, const MemoryFigures& more);

}  // namespace pyrometer
