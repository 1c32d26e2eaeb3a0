// All named regions of the process, and which of them are open where. Regions nest within one flow:
// what runs by itself, a thread or a task of asyncio. Everything with the GIL, but for names and
// `recorded` figures, which the recording's thread reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "timers/region_log.h"
#include "timers/timed_region.h"

namespace pyrometer {

class RegionTimers {
 public:
  // Beyond so many names, regions are counted together.
  static constexpr std::size_t kMostRegions = 10'000;

  struct OpenRegion {
    TimedRegion* region = nullptr;
    std::uint64_t start = 0;  // in counts of the clock
    std::int64_t inner = 0;   // what regions inside took
    std::int64_t inner_before_reset = 0;
    RegionLog* log = nullptr;  // none: not recorded
    std::uint32_t row = 0;     // there
    std::uintptr_t opener = 0;
    bool is_outermost = true;  // of this name in its flow

    void begin(std::uint64_t now) {
      start = now;
      if (log != nullptr) log->begin(row, region->name, start, opener);
    }
  };

  RegionTimers();

  TimedRegion& find(std::string_view name);

  // The caller calls begin(), as late as it can.
  OpenRegion& enter(TimedRegion& region, const void* flow) {
    Flow& own = flow_of(flow);
    RegionLog* log = find_region_log();
    OpenRegion& open = own.open.emplace_back();
    open.region = &region;
    open.log = log;
    if (log != nullptr) {
      open.row = log->take_row();
      if (find_region_opener != nullptr) open.opener = find_region_opener();
    }
    if (region.open_now++ != 0) open.is_outermost = is_outermost(own);
    return open;
  }

  // The newest activation in this flow ends; false: the region is open nowhere.
  bool leave(TimedRegion& region, const void* flow, std::uint64_t now) {
    Flow& own = flow_of(flow);
    if (own.open.empty() || own.open.back().region != &region) [[unlikely]] {
      return leave_elsewhere(region, own, now);
    }
    count(own, own.open.size() - 1, now);
    own.open.pop_back();
    return true;
  }

  // The same text for good, as logs refer to it; nullptr: there are too many different ones.
  const std::string* keep_mark(std::string text);

  // Figures begin anew, those of open regions now. What is recorded is not touched.
  void reset(std::uint64_t now);

  // In the order they were met; also without the GIL.
  template <class Visit>
  void visit(Visit&& visit) const {
    const std::lock_guard lock(mutex_);
    for (const TimedRegion& region : regions_) visit(region);
  }

  // A recording begins and ends with nothing, open regions included.
  void forget_recorded();

 private:
  struct Flow {
    const void* identity = nullptr;
    std::vector<OpenRegion> open;
  };

  Flow& flow_of(const void* identity) {
    return current_->identity == identity ? *current_ : switch_to(identity);
  }
  Flow& switch_to(const void* identity);
  static bool is_outermost(const Flow& flow);
  bool leave_elsewhere(TimedRegion& region, Flow& own, std::uint64_t now);
  void count(Flow& flow, std::size_t place, std::uint64_t now) const {
    const OpenRegion& open = flow.open[place];
    const auto elapsed = static_cast<std::int64_t>(now - open.start);
    const auto since_reset = static_cast<std::int64_t>(now - std::max(open.start, reset_at_));
    TimedRegion& region = *open.region;
    --region.open_now;
    region.figures.add(since_reset, since_reset - (open.inner - open.inner_before_reset),
                       open.is_outermost);
    if (place > 0) {
      flow.open[place - 1].inner += elapsed;
      flow.open[place - 1].inner_before_reset += elapsed - since_reset;
    }
    if (open.log == nullptr) return;
    region.recorded.add(elapsed, elapsed - open.inner, open.is_outermost);
    open.log->end({.name = &region.name,
                   .start = open.start,
                   .end = now,
                   .row = open.row,
                   .opener = number_of_opener(open.opener)});
  }

  mutable std::mutex mutex_;  // of the list of regions
  std::deque<TimedRegion> regions_;
  std::unordered_map<std::string_view, TimedRegion*> by_name_;
  std::unordered_map<const void*, std::unique_ptr<Flow>> flows_;  // with open regions, and the last
  std::unordered_set<std::string> marks_;
  Flow* current_;
  std::uint64_t reset_at_ = 0;
};

}  // namespace pyrometer
