#include "analyze/open_regions.h"

#include <tuple>

namespace pyrometer {
namespace {

std::int64_t end_of(const Region& region) { return region.start + region.duration; }

}  // namespace

OpenRegions::OpenRegions(std::vector<Region> regions, RegionChains& chains) {
  // What contains another one comes before it.
  const auto order = [](const Region& region) {
    return std::tuple(region.start, -region.duration, region.depth);
  };
  std::sort(regions.begin(), regions.end(),
            [&](const Region& a, const Region& b) { return order(a) < order(b); });
  std::vector<const Region*> open;
  std::vector<RegionFrame> chain;
  const auto step = [&](std::int64_t time) {
    chain.clear();
    for (const Region* region : open) chain.push_back({region->name, region->opener});
    if (!steps_.empty() && steps_.back().time == time) steps_.pop_back();
    steps_.push_back({time, chains.number(chain)});
  };
  const auto close_until = [&](std::int64_t time) {
    while (!open.empty()) {
      const auto first = std::min_element(
          open.begin(), open.end(),
          [](const Region* a, const Region* b) { return end_of(*a) < end_of(*b); });
      const std::int64_t end = end_of(**first);
      if (end > time) return;
      open.erase(first);
      step(end);
    }
  };
  for (const Region& region : regions) {
    close_until(region.start);
    open.push_back(&region);
    step(region.start);
  }
  close_until(INT64_MAX);
}

}  // namespace pyrometer
