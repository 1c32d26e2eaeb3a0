// Messages of any size from signal handlers of many threads to one reader. Writers never
// wait: what does not fit is refused. The reader sees messages in the order they were begun.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "os/pages.h"

namespace pyrometer {

class ByteRing {
 public:
  explicit ByteRing(std::size_t capacity)  // a power of two
      : pages_(capacity), capacity_(capacity) {}

  // Room for `size` bytes to be filled in and then commit()ted; nullptr when there is none.
  char* reserve(std::size_t size) {
    const std::size_t whole = (size + sizeof(Head) + 7) & ~std::size_t{7};
    std::uint64_t begin = end_.load(std::memory_order_relaxed);
    std::size_t padding = 0;
    do {
      // A message lies in one piece, so the end of the ring may have to stay empty.
      const std::size_t left = capacity_ - begin % capacity_;
      padding = whole > left ? left : 0;
      if (begin + padding + whole - begin_.load(std::memory_order_acquire) > capacity_) {
        return nullptr;
      }
    } while (
        !end_.compare_exchange_weak(begin, begin + padding + whole, std::memory_order_acq_rel));
    if (padding != 0) {
      head_at(begin)->size = 0;
      head_at(begin)->whole.store(static_cast<std::uint32_t>(padding), std::memory_order_release);
    }
    Head* head = head_at(begin + padding);
    head->size = static_cast<std::uint32_t>(size);
    return reinterpret_cast<char*>(head) + sizeof(Head);
  }

  void commit(char* message) {
    Head* head = reinterpret_cast<Head*>(message - sizeof(Head));
    const std::size_t whole = (head->size + sizeof(Head) + 7) & ~std::size_t{7};
    head->whole.store(static_cast<std::uint32_t>(whole), std::memory_order_release);
  }

  // Calls consume(message) for each that is complete, oldest first. One reader at a time.
  template <class Consume>
  void drain(Consume&& consume) {
    std::uint64_t at = begin_.load(std::memory_order_relaxed);
    while (at != end_.load(std::memory_order_acquire)) {
      Head* head = head_at(at);
      const std::uint32_t whole = head->whole.load(std::memory_order_acquire);
      if (whole == 0) break;  // begun, not finished
      if (head->size != 0) {
        consume(std::string_view(reinterpret_cast<const char*>(head) + sizeof(Head), head->size));
      }
      std::memset(static_cast<void*>(head), 0, whole);  // unwritten room must read as unfinished
      at += whole;
      begin_.store(at, std::memory_order_release);
    }
  }

 private:
  struct Head {
    std::atomic<std::uint32_t> whole;  // with this head and padding; 0: not finished
    std::uint32_t size;                // of the message; 0: empty end of the ring
  };
  static_assert(sizeof(Head) == 8 && std::atomic<std::uint32_t>::is_always_lock_free);

  Head* head_at(std::uint64_t position) {
    return reinterpret_cast<Head*>(pages_.data() + position % capacity_);
  }

  Pages pages_;
  std::size_t capacity_;
  std::atomic<std::uint64_t> begin_{0}, end_{0};
};

}  // namespace pyrometer
