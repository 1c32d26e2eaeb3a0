#include "collect/memory_curve.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pyrometer {
namespace {

bool differs(std::int64_t now, std::int64_t before) {
  constexpr std::int64_t kMuch = 50;  // a part so large
  return std::abs(now - before) > before / kMuch;
}

}  // namespace

void MemoryCurve::close_interval(std::int64_t now) {
  constexpr std::int64_t kShortest = 20'000'000;  // ns
  constexpr std::int64_t kPointsUntilNow = 2'000;
  if (largest_.time != 0) points_.push_back(largest_);
  largest_ = {};
  interval_end_ = now + std::max(kShortest, (now - started_) / kPointsUntilNow);
}

bool MemoryCurve::look(std::int64_t now, std::int64_t heap) {
  if (started_ == 0) started_ = now;
  if (now >= interval_end_) close_interval(now);
  const std::int64_t resident = resident_.now();
  if (resident > largest_.resident) largest_.time = now;
  largest_.resident = std::max(largest_.resident, resident);
  largest_.heap = std::max(largest_.heap, heap);
  const Recorder::MemoryPoint before =
      std::exchange(last_, {.time = now, .resident = resident, .heap = heap});
  return differs(resident, before.resident) || differs(heap, before.heap);
}

void MemoryCurve::write(Recorder& recorder, bool is_last) {
  if (is_last && largest_.time != 0) {
    points_.push_back(largest_);
    largest_ = {};
  }
  if (!points_.empty()) recorder.memory_points(points_);
  points_.clear();
}

}  // namespace pyrometer
