// A number that threads write while they hold the GIL, and the recording's thread reads without.
#pragma once

#include <atomic>
#include <cstdint>

namespace pyrometer {

class GilCount {
 public:
  void add(std::int64_t more) { set(get() + more); }
  std::int64_t get() const { return value_.load(std::memory_order_relaxed); }
  void set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void raise_to(std::int64_t value) {
    if (value > get()) set(value);
  }
  void clear() { set(0); }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

}  // namespace pyrometer
