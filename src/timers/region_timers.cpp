#include "timers/region_timers.h"

#include <algorithm>

namespace pyrometer {

thread_local RegionLog* own_region_log [[gnu::tls_model("initial-exec")]] = nullptr;
BeginRegionLog begin_region_log = nullptr;
FindRegionOpener find_region_opener = nullptr;
NumberRegionOpener number_region_opener = nullptr;

RegionTimers::RegionTimers()
    : current_(flows_.emplace(nullptr, std::make_unique<Flow>()).first->second.get()) {}

TimedRegion& RegionTimers::find(std::string_view name) {
  constexpr std::string_view kOthers = "(other regions)";
  if (const auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
  if (regions_.size() >= kMostRegions && name != kOthers) return find(kOthers);
  const std::lock_guard lock(mutex_);
  TimedRegion& region =
      regions_.emplace_back(std::string(name), static_cast<std::uint32_t>(regions_.size()));
  by_name_.emplace(region.name, &region);
  return region;
}

const std::string* RegionTimers::keep_mark(std::string text) {
  constexpr std::size_t kMostMarks = 100'000;
  const auto known = marks_.find(text);
  if (known != marks_.end()) return &*known;
  return marks_.size() < kMostMarks ? &*marks_.insert(std::move(text)).first : nullptr;
}

RegionTimers::Flow& RegionTimers::switch_to(const void* identity) {
  if (current_->open.empty()) flows_.erase(current_->identity);
  auto& flow = flows_[identity];
  if (flow == nullptr) flow = std::make_unique<Flow>(Flow{identity, {}});
  current_ = flow.get();
  return *current_;
}

bool RegionTimers::is_outermost(const Flow& flow) {
  const TimedRegion* newest = flow.open.back().region;
  return std::none_of(flow.open.begin(), flow.open.end() - 1,
                      [&](const OpenRegion& open) { return open.region == newest; });
}

// Generators end regions out of turn, and in whichever flow they are closed.
bool RegionTimers::leave_elsewhere(TimedRegion& region, Flow& own, std::uint64_t now) {
  const auto end_in = [&](Flow& flow) {
    const auto found = std::find_if(flow.open.rbegin(), flow.open.rend(),
                                    [&](const OpenRegion& open) { return open.region == &region; });
    if (found == flow.open.rend()) return false;
    const auto place = flow.open.rend() - found - 1;
    count(flow, static_cast<std::size_t>(place), now);
    flow.open.erase(flow.open.begin() + place);
    return true;
  };
  if (region.open_now == 0) return false;
  if (end_in(own)) return true;
  const auto found = std::find_if(flows_.begin(), flows_.end(),
                                  [&](const auto& flow) { return end_in(*flow.second); });
  if (found == flows_.end()) return false;
  if (found->second->open.empty() && found->second.get() != current_) flows_.erase(found);
  return true;
}

void RegionTimers::reset(std::uint64_t now) {
  reset_at_ = now;
  for (TimedRegion& region : regions_) region.figures.clear();
  for (const auto& [identity, flow] : flows_) {
    for (OpenRegion& open : flow->open) open.inner_before_reset = open.inner;
  }
}

void RegionTimers::forget_recorded() {
  for (TimedRegion& region : regions_) region.recorded.clear();
  for (const auto& [identity, flow] : flows_) {
    for (OpenRegion& open : flow->open) open.log = nullptr;
  }
}

}  // namespace pyrometer
