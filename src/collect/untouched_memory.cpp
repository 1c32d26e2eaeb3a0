#include "collect/untouched_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pyrometer {
namespace {

// Of a very large block, as far as some of its pages tell.
std::int64_t untouched_bytes(const MemoryLedger::BigBlock& block) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::size_t kPages = 256, kMostLooks = 256;
  const std::uintptr_t begin = (block.begin + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (block.begin + block.size) / kPage * kPage;
  if (end <= begin) return 0;
  const std::size_t pages = (end - begin) / kPage;
  const std::size_t looks = std::min((pages + kPages - 1) / kPages, kMostLooks);
  std::size_t seen = 0, untouched = 0;
  for (std::size_t look = 0; look < looks; ++look) {
    const std::size_t first = pages * look / looks;
    const std::size_t count = std::min(kPages, pages - first);
    std::array<unsigned char, kPages> is_there{};
    void* address = reinterpret_cast<void*>(begin + first * kPage);
    if (mincore(address, count * kPage, is_there.data()) != 0) continue;  // freed meanwhile
    seen += count;
    untouched += static_cast<std::size_t>(
        std::count_if(is_there.begin(), is_there.begin() + static_cast<std::ptrdiff_t>(count),
                      [](unsigned char page) { return (page & 1U) == 0; }));
  }
  if (seen == 0) return 0;
  return std::llround(static_cast<double>(block.size) * static_cast<double>(untouched) /
                      static_cast<double>(seen));
}

}  // namespace

std::vector<std::int64_t> untouched_by_site(const std::vector<MemoryLedger::BigBlock>& blocks) {
  std::vector<std::int64_t> bytes;
  for (const MemoryLedger::BigBlock& block : blocks) {
    if (block.site >= bytes.size()) bytes.resize(block.site + 1);
    bytes[block.site] += untouched_bytes(block);
  }
  return bytes;
}

}  // namespace pyrometer
