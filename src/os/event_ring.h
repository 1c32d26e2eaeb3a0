// Events from one thread, or its signal handler, to the recorder's thread. A full ring refuses.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/pages.h"

namespace pyrometer {

template <class Event>
class EventRing {
 public:
  explicit EventRing(std::size_t capacity)  // a power of two
      : pages_(capacity * sizeof(Event)), capacity_(capacity) {}

  bool push(const Event& event) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) == capacity_) return false;
    slot(end) = event;
    end_.store(end + 1, std::memory_order_release);
    return true;
  }

  // Calls consume(event) for each, oldest first, until one is not taken (false): that one and
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
  Event& slot(std::uint64_t position) {
    return reinterpret_cast<Event*>(pages_.data())[position % capacity_];
  }

  Pages pages_;
  std::size_t capacity_;
  std::atomic<std::uint64_t> begin_{0}, end_{0};
};

}  // namespace pyrometer
