#include "exact/call_timeline.h"

#include <algorithm>

namespace pyrometer {

CallTimeline::Latest CallTimeline::latest(std::uint64_t seen) const {
  Latest latest;
  const std::uint64_t before = count_.load(std::memory_order_acquire);
  const std::uint64_t first = std::max(seen, before > capacity_ ? before - capacity_ : 0);
  for (std::uint64_t i = first; i < before; ++i) latest.calls.push_back(ring()[i % capacity_]);
  // A thread that still runs may have written over the oldest while they were copied.
  const std::uint64_t after = count_.load(std::memory_order_acquire);
  const std::uint64_t safe = after > capacity_ ? after - capacity_ : 0;
  if (safe > first) {
    const auto torn = std::min<std::uint64_t>(safe - first, latest.calls.size());
    latest.calls.erase(latest.calls.begin(),
                       latest.calls.begin() + static_cast<std::ptrdiff_t>(torn));
  }
  latest.dropped = before - seen - latest.calls.size();
  latest.seen = before;
  std::stable_sort(latest.calls.begin(), latest.calls.end(),
                   [](const Call& a, const Call& b) { return a.start < b.start; });
  return latest;
}

}  // namespace pyrometer
