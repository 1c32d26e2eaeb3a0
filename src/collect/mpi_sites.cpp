#include "collect/mpi_sites.h"

#include <algorithm>

#include "collect/call_tree.h"

namespace pyrometer {

MpiTotals& MpiTotals::operator+=(const MpiTotals& more) {
  if (more.calls == 0) return *this;
  quickest = calls == 0 ? more.quickest : std::min(quickest, more.quickest);
  slowest = std::max(slowest, more.slowest);
  calls += more.calls;
  time += more.time;
  bytes += more.bytes;
  return *this;
}

MpiSites::MpiSites()
    : site_pages_(kCapacity * sizeof(MpiSite)), index_pages_(kIndexSize * sizeof(std::uint32_t)) {}

std::uint32_t& MpiSites::place_of(const MpiSiteKey& key) const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = (std::uint64_t{key.node} << 32U | key.function) * kOdd;
  hash ^= hash >> 32U;
  hash = (hash ^ (std::uint64_t{key.communicator} << 8U | key.size_class)) * kOdd;
  for (std::uint64_t at = hash >> 40U;; ++at) {
    std::uint32_t& place = index()[at % kIndexSize];
    if (place == 0 || sites()[place - 1].key == key) return place;
  }
}

std::uint32_t MpiSites::find(MpiSiteKey key) {
  const std::uint32_t number = size_.load(std::memory_order_relaxed);
  std::uint32_t* place = &place_of(key);
  if (*place == 0 && number >= kMostPlaces) {
    is_folded_.store(true, std::memory_order_relaxed);
    key.node = CallTree::kRoot;
    place = &place_of(key);
  }
  if (*place == 0 && number >= kMostWithoutPlace) {
    key.communicator = key.size_class = 0;
    place = &place_of(key);
  }
  if (*place != 0) return *place - 1;
  if (number == kCapacity) return number - 1;  // more functions than MPI has
  sites()[number].key = key;
  *place = number + 1;
  size_.store(number + 1, std::memory_order_release);
  return number;
}

}  // namespace pyrometer
