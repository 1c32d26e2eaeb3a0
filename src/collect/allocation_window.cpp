#include "collect/allocation_window.h"

namespace pyrometer {

// A new peak costs nothing: what a site held then is noted when it first changes afterwards.
void AllocationWindow::change(std::uint32_t site, std::int64_t bytes, std::int64_t blocks) {
  Held& held = held_.try_emplace(site, Held{.peak_number = peak_number_}).first->second;
  if (held.peak_number != peak_number_) {
    held.peak_number = peak_number_;
    held.at_peak = held.live;
  }
  held.live += bytes;
  held.live_blocks += blocks;
  live_ += bytes;
  if (live_ > peak_) {
    peak_ = live_;
    ++peak_number_;
  }
}

void AllocationWindow::block_came(const void* block, std::size_t size, std::uint32_t site) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const auto before = blocks_.put(address, {.size = size, .site = site});
  // It was freed by code of our own.
  if (before) change(before->site, -static_cast<std::int64_t>(before->size), -1);
  change(site, static_cast<std::int64_t>(size), 1);
}

void AllocationWindow::block_goes(const void* block) {
  const auto gone = blocks_.take(reinterpret_cast<std::uintptr_t>(block));
  if (gone) change(gone->site, -static_cast<std::int64_t>(gone->size), -1);
}

void AllocationWindow::mapping_came(const void* begin, std::size_t size, std::uint32_t site) {
  mappings_.put(begin, size, 0, site);
  change(site, static_cast<std::int64_t>(size), 1);
}

void AllocationWindow::mapping_goes(const void* range, std::size_t size) {
  mappings_.take(range, size, [&](const auto& mapping, std::int64_t bytes, bool is_whole) {
    change(mapping.site, -bytes, is_whole ? -1 : 0);
  });
}

std::vector<AllocationWindow::Place> AllocationWindow::places() const {
  std::vector<Place> places;
  for (const auto& [site, held] : held_) {
    const std::int64_t at_peak = held.peak_number == peak_number_ ? held.at_peak : held.live;
    if (at_peak == 0 && held.live == 0) continue;
    places.push_back(
        {.site = site, .at_peak = at_peak, .live = held.live, .live_blocks = held.live_blocks});
  }
  return places;
}

}  // namespace pyrometer
