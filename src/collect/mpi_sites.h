// What the MPI calls of one thread took, by place, function, size of the communicator and size
// of the message. The thread itself adds, without a lock; the session's thread reads. Bounded:
// beyond kMostPlaces sites, new ones are counted without their place, then by function alone.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "os/pages.h"

namespace pyrometer {

struct MpiSiteKey {
  std::uint32_t node = 0;  // in the thread's CallTree: who called; the root when that is unknown
  std::uint32_t function = 0;
  std::uint32_t communicator = 0;
  std::uint32_t size_class = 0;
  friend bool operator==(const MpiSiteKey&, const MpiSiteKey&) = default;
};

// Times are counts of the CycleCounter.
struct MpiTotals {
  std::uint64_t calls = 0, time = 0, bytes = 0, quickest = 0, slowest = 0;
  friend bool operator==(const MpiTotals&, const MpiTotals&) = default;

  void add(std::uint64_t duration, std::uint64_t handed_over) {
    quickest = calls == 0 || duration < quickest ? duration : quickest;
    slowest = duration > slowest ? duration : slowest;
    ++calls;
    time += duration;
    bytes += handed_over;
  }
  MpiTotals& operator+=(const MpiTotals& more);
};

class MpiSite {
 public:
  MpiSiteKey key;

  void add(std::uint64_t duration, std::uint64_t bytes) {
    MpiTotals totals = read();
    totals.add(duration, bytes);
    quickest_.store(totals.quickest, std::memory_order_relaxed);
    slowest_.store(totals.slowest, std::memory_order_relaxed);
    time_.store(totals.time, std::memory_order_relaxed);
    bytes_.store(totals.bytes, std::memory_order_relaxed);
    calls_.store(totals.calls, std::memory_order_release);
  }
  // Whether a call takes at least so long, as far as one can tell.
  bool is_long(std::uint64_t time) const {
    return time_.load(std::memory_order_relaxed) >= calls_.load(std::memory_order_relaxed) * time;
  }
  // What calls took by the wall clock, in ns, while the sampler's clocks stood still.
  std::int64_t clocked() const { return clocked_.load(std::memory_order_acquire); }
  void add_clocked(std::int64_t time) {
    clocked_.store(clocked_.load(std::memory_order_relaxed) + time, std::memory_order_release);
  }

  // Whatever the caller looks at next is no older than what this returns.
  MpiTotals read() const {
    return {.calls = calls_.load(std::memory_order_acquire),
            .time = time_.load(std::memory_order_acquire),
            .bytes = bytes_.load(std::memory_order_acquire),
            .quickest = quickest_.load(std::memory_order_acquire),
            .slowest = slowest_.load(std::memory_order_acquire)};
  }

 private:
  std::atomic<std::uint64_t> calls_, time_, bytes_, quickest_, slowest_;
  std::atomic<std::int64_t> clocked_;
};

class MpiSites {
 public:
  static constexpr std::uint32_t kMostPlaces = 4096;

  MpiSites();

  static std::uint32_t size_class(std::uint64_t bytes) {
    return static_cast<std::uint32_t>(std::bit_width(bytes));
  }

  // For the thread itself: the number of the site, added when it is new.
  std::uint32_t find(MpiSiteKey key);
  MpiSite& site(std::uint32_t number) { return sites()[number]; }

  // For everybody: sites never move, and those below size() are whole.
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  const MpiSite& operator[](std::uint32_t number) const { return sites()[number]; }
  bool is_folded() const { return is_folded_.load(std::memory_order_relaxed); }

 private:
  // Of the second half, an eighth is kept for functions alone: far more than MPI has.
  static constexpr std::uint32_t kCapacity = 2 * kMostPlaces;
  static constexpr std::uint32_t kMostWithoutPlace = kCapacity - kMostPlaces / 8;
  static constexpr std::uint32_t kIndexSize = 2 * kCapacity;

  MpiSite* sites() const { return reinterpret_cast<MpiSite*>(site_pages_.data()); }
  // Site + 1; 0: free.
  std::uint32_t* index() const { return reinterpret_cast<std::uint32_t*>(index_pages_.data()); }
  std::uint32_t& place_of(const MpiSiteKey& key) const;

  Pages site_pages_, index_pages_;
  std::atomic<std::uint32_t> size_{0};
  std::atomic<bool> is_folded_{false};
};

}  // namespace pyrometer
