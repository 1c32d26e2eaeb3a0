// What a window found, by places in the program.
#include <algorithm>
#include <map>
#include <set>

#include "collect/memory_recording.h"

namespace pyrometer {
namespace {

// The keys of so many that held most at the peak, and of as many that still do.
template <class Places>
std::set<typename Places::key_type> largest(const Places& places, std::size_t most) {
  std::set<typename Places::key_type> keys;
  for (const auto held : {&AllocationWindow::Place::at_peak, &AllocationWindow::Place::live}) {
    std::vector<typename Places::const_iterator> order;
    for (auto place = places.begin(); place != places.end(); ++place) {
      if (place->second.*held > 0) order.push_back(place);
    }
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](auto a, auto b) { return a->second.*held > b->second.*held; });
    for (auto place = order.begin(); place != middle; ++place) keys.insert((*place)->first);
  }
  return keys;
}

}  // namespace

std::vector<MemoryRecording::WindowPlace> MemoryRecording::describe_places(
    const std::vector<AllocationWindow::Place>& sites, std::size_t most, const Recorder& recorder) {
  // One place may call malloc through several functions.
  std::map<Place, AllocationWindow::Place> places;
  for (const AllocationWindow::Place& site : sites) {
    const LedgerSiteKey key = ledger_.key_of(site.site);
    AllocationWindow::Place& sum = places[{key.thread, key.node}];
    sum.at_peak += site.at_peak;
    sum.live += site.live;
    sum.live_blocks += site.live_blocks;
  }
  std::vector<WindowPlace> described;
  const std::lock_guard lock(threads_mutex_);
  for (const Place& place : largest(places, most)) {
    const AllocationWindow::Place& sum = places[place];
    described.push_back({.at_peak = sum.at_peak,
                         .live = sum.live,
                         .live_blocks = sum.live_blocks,
                         .stack = stack_of(place.first, place.second, recorder)});
  }
  return described;
}

std::vector<Recorder::SourcePlace> MemoryRecording::stack_of(std::uint32_t thread,
                                                             std::uint32_t node,
                                                             const Recorder& recorder) const {
  std::vector<Recorder::SourcePlace> stack;
  if (thread >= threads_.size() || !threads_[thread].thread) return stack;
  const CallTree& tree = threads_[thread].thread->places.tree;
  while (node != CallTree::kRoot) {
    const CallTree::Node frame = tree.node(node);
    if (auto place = recorder.place_of(frame.code, frame.instruction)) {
      stack.push_back(*std::move(place));
    }
    node = frame.parent;
  }
  return stack;
}

}  // namespace pyrometer
