// Samples from one thread's signal handler to the recorder's thread. A full ring refuses.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/pages.h"

namespace pyrometer {

struct Sample {
  std::int64_t time = 0;    // monotonic clock
  std::int64_t cpu = 0;     // ns of CPU since the sample before, of which
  std::int64_t system = 0;  // so many in the kernel
  std::uintptr_t program_counter = 0;
  std::uint32_t node = 0;  // in the thread's CallTree
  bool after_system_call = false;
  bool is_shutdown = false;  // the interpreter is ending: its frames were not looked at
};

class SampleRing {
 public:
  explicit SampleRing(std::size_t capacity)  // a power of two
      : pages_(capacity * sizeof(Sample)), capacity_(capacity) {}

  bool push(const Sample& sample) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) == capacity_) return false;
    slot(end) = sample;
    end_.store(end + 1, std::memory_order_release);
    return true;
  }

  // Calls consume(sample) for each, oldest first, until one is not taken (false): that one and
  // the rest come again next time.
  template <class Consume>
  void drain(Consume&& consume) {
    const std::uint64_t end = end_.load(std::memory_order_acquire);
    for (std::uint64_t at = begin_.load(std::memory_order_relaxed); at != end; ++at) {
      if (!consume(slot(at))) return;
      begin_.store(at + 1, std::memory_order_release);
    }
  }

 private:
  Sample& slot(std::uint64_t position) {
    return reinterpret_cast<Sample*>(pages_.data())[position % capacity_];
  }

  Pages pages_;
  std::size_t capacity_;
  std::atomic<std::uint64_t> begin_{0}, end_{0};
};

}  // namespace pyrometer
