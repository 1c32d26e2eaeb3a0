// A clock for spans of nanoseconds: the processor's own counter where it runs steadily, read in
// a few cycles, else the monotonic clock. Counts mean nothing until they are scaled.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "os/clocks.h"

namespace pyrometer {

class CycleCounter {
 public:
  // Of this machine, decided once.
  static const CycleCounter& own();

  std::uint64_t read() const {
    return is_steady_ ? read_steady() : static_cast<std::uint64_t>(monotonic_now());
  }
  // For whoever knows that it is.
  static std::uint64_t read_steady() {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
  }

  // Nanoseconds per count, measured since the process began to count; waits some milliseconds
  // when that was only a moment ago.
  double nanoseconds_per_count() const;

  // When the counter stood there, on the monotonic clock.
  std::int64_t time_of(std::uint64_t count, double nanoseconds_per_count) const {
    const auto passed = static_cast<double>(static_cast<std::int64_t>(count - first_count_));
    return first_time_ + static_cast<std::int64_t>(passed * nanoseconds_per_count);
  }

  bool is_steady() const { return is_steady_; }

 private:
  CycleCounter();

  bool is_steady_;
  std::uint64_t first_count_;
  std::int64_t first_time_;
};

}  // namespace pyrometer
