// What a recording is told of one thread's regions: each one that ended, with the row it is drawn
// in. Written with the GIL, read by the recording's thread.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string>

#include "os/event_ring.h"

namespace pyrometer {

struct EndedRegion {
  const std::string* name = nullptr;  // that of a region or a mark, which are kept for good
  std::uint64_t start = 0, end = 0;   // in counts of the clock; the same: a mark
  std::uint32_t row = 0;
  std::uint32_t opener = 0;  // the number of the code that it belongs to; 0: unknown
};

// Whoever can read frames says which code a region belongs to that the calling thread begins now,
// by its address, and later its number. That is asked for when the region ends: until then a sample
// may have seen the code, and soon after it may be gone.
using FindRegionOpener = std::uintptr_t (*)();
using NumberRegionOpener = std::uint32_t (*)(std::uintptr_t code);
extern FindRegionOpener find_region_opener;
extern NumberRegionOpener number_region_opener;

inline std::uint32_t number_of_opener(std::uintptr_t code) {
  return code != 0 && number_region_opener != nullptr ? number_region_opener(code) : 0;
}

class RegionLog {
 public:
  explicit RegionLog(int thread_id) : tid(thread_id), ended(kCapacity) {}

  const int tid;
  EventRing<EndedRegion> ended;
  std::atomic<std::uint64_t> dropped{0};  // the ring was full
  std::atomic<bool> is_over{false};       // the thread has ended

  // The region that has this row begins; its own time is not known before.
  void begin(std::uint32_t row, const std::string& name, std::uint64_t start,
             std::uintptr_t opener) {
    if (row >= open_.size()) return;
    open_[row].name.store(&name, std::memory_order_relaxed);
    open_[row].opener.store(opener, std::memory_order_relaxed);
    open_[row].start.store(start, std::memory_order_release);
  }

  // visit(region) for those that are open, without their ends. For the recording's thread; what
  // begins or ends meanwhile may be missing.
  template <class Visit>
  void visit_open(Visit visit) const {
    for (std::uint32_t row = 0; row < open_.size(); ++row) {
      const OpenRow& open = open_[row];
      const std::uint64_t start = open.start.load(std::memory_order_acquire);
      if (start == kNotOpen) continue;
      const EndedRegion region{
          .name = open.name.load(std::memory_order_acquire),
          .start = start,
          .row = row,
          .opener = number_of_opener(open.opener.load(std::memory_order_acquire))};
      // No two begin at the same time.
      if (open.start.load(std::memory_order_acquire) == start) visit(region);
    }
  }

  // The first row that no open region takes: of nested ones their depth, and regions of tasks that
  // take turns never overlap. Beyond the last row all share it.
  std::uint32_t take_row() {
    const std::uint64_t taken = rows_.load(std::memory_order_relaxed);
    const auto row = static_cast<std::uint32_t>(std::countr_one(taken));
    rows_.store(taken | bit(row), std::memory_order_relaxed);
    return row;
  }
  // Something that takes no time, in the row of a region that would begin now.
  void mark(const std::string& name, std::uint64_t now) {
    end({.name = &name, .start = now, .end = now, .row = take_row()});
  }
  void end(const EndedRegion& region) {
    if (region.row < open_.size()) {
      open_[region.row].start.store(kNotOpen, std::memory_order_release);
    }
    rows_.store(rows_.load(std::memory_order_relaxed) & ~bit(region.row));
    if (!ended.push(region)) dropped.fetch_add(1, std::memory_order_relaxed);
  }

  // Nothing that is logged now is wanted, and nothing is open any more. With the GIL, while nobody
  // reads.
  void clear() {
    ended.drain([](const EndedRegion&) { return true; });
    dropped.store(0);
    rows_.store(0);
    for (OpenRow& open : open_) open.start.store(kNotOpen);
  }

  // The thread is over, and so are its regions: nobody will write here again. A generator may leave
  // one after its thread has ended.
  bool is_unused() const { return is_over.load() && rows_.load() == 0; }

 private:
  static constexpr std::size_t kCapacity = 1U << 14U;
  static constexpr std::uint64_t bit(std::uint32_t row) {
    return row < 64 ? std::uint64_t{1} << row : 0;
  }
  std::atomic<std::uint64_t> rows_{0};

  static constexpr std::uint64_t kNotOpen = 0;
  struct OpenRow {
    std::atomic<std::uint64_t> start{kNotOpen};
    std::atomic<const std::string*> name{nullptr};
    std::atomic<std::uintptr_t> opener{0};
  };
  std::array<OpenRow, 64> open_;  // by row
};

// The log of the calling thread; none while nothing is recorded. Whoever records says how a thread
// that has none gets one.
extern thread_local RegionLog* own_region_log [[gnu::tls_model("initial-exec")]];
using BeginRegionLog = RegionLog* (*)();
extern BeginRegionLog begin_region_log;

inline RegionLog* find_region_log() {
  if (begin_region_log == nullptr) [[likely]]
    return nullptr;
  return own_region_log != nullptr ? own_region_log : begin_region_log();
}

}  // namespace pyrometer
