// Samples by bytes: a thread takes one after an exponentially distributed number of them, so that
// each byte has the same chance to be met, whatever was met before.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "os/clocks.h"
#include "os/own_thread.h"

namespace pyrometer {

// For one thread; plain data, zero when nothing was asked of it yet.
class SampleDistance {
 public:
  // The bytes until the calling thread's next sample, `mean` on average.
  std::int64_t next(double mean) {
    return static_cast<std::int64_t>(-std::log(next_random()) * mean) + 1;
  }

 private:
  // Uniform in (0, 1]; a stream for each thread.
  double next_random() {
    if (random_ == 0) {
      random_ = (static_cast<std::uint64_t>(own_tid()) << 32U) ^
                static_cast<std::uint64_t>(monotonic_now()) ^ 0x9e3779b97f4a7c15ULL;
    }
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 7U;
    random_ ^= random_ << 17U;
    return (static_cast<double>(random_ >> 11U) + 1) * 0x1p-53;
  }

  std::uint64_t random_ = 0;
};

// How many of its size (in bytes, at least 1) a sampled one stands for, by the chance that one of
// them is met.
inline double sample_weight(double size, double mean) { return 1 / -std::expm1(-size / mean); }

}  // namespace pyrometer
