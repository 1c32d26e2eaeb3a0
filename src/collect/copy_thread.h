// One thread that copies: where it did so and how much. It writes all this itself, without a lock,
// while the session's thread looks at it.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include "collect/copy_totals.h"
#include "collect/own_places.h"

namespace pyrometer {

class CopyThread {
 public:
  explicit CopyThread(int thread_id)
      : tid(thread_id), places(kShortcutBits), sum_pages_(CallTree::kMostNodes * sizeof(Sum)) {}

  const int tid;
  OwnPlaces places;
  std::atomic<bool> has_ended{false};

  // For the thread itself: so many copies of this size (a sampled one stands for several) at a
  // node of its tree.
  void add(std::uint32_t node, double bytes, double copies) {
    Sum& sum = sums()[node];
    const auto grow = [](std::atomic<double>& value, double more) {
      value.store(value.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    };
    grow(sum.bytes, bytes * copies);
    grow(sum.copies, copies);
  }

  CopyTotals at(std::uint32_t node) const {
    const Sum& sum = sums()[node];
    return {.bytes = std::llround(sum.bytes.load(std::memory_order_relaxed)),
            .copies = std::llround(sum.copies.load(std::memory_order_relaxed))};
  }

 private:
  struct Sum {
    std::atomic<double> bytes, copies;
  };
  static constexpr unsigned kShortcutBits = 10;

  Sum* sums() const { return reinterpret_cast<Sum*>(sum_pages_.data()); }

  Pages sum_pages_;  // by node
};

}  // namespace pyrometer
