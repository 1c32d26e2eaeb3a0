#include "preload/memory_marks.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "preload/memory_real.h"

namespace pyrometer::preload {
namespace {

constexpr unsigned kAddressBits = 48, kRegionBits = 30;
// Blocks of the GNU C library take 32 bytes at least, the smallest ones of others eight.
constexpr unsigned kHeaderShift = 5, kShift = 3;

using Mark = std::uint8_t;
Mark* regions[std::size_t{1} << (kAddressBits - kRegionBits)];

unsigned shift() { return real_allocator.has_headers ? kHeaderShift : kShift; }
std::size_t region_size() { return std::size_t{1} << (kRegionBits - shift()); }

Mark* region_of(std::uintptr_t address) {
  const std::uintptr_t number = address >> kRegionBits;
  if (number >= std::size(regions)) return nullptr;
  return __atomic_load_n(&regions[number], __ATOMIC_ACQUIRE);
}

Mark* make_region(std::uintptr_t address) {
  const std::uintptr_t number = address >> kRegionBits;
  if (number >= std::size(regions)) return nullptr;
  void* pages = real_allocator.mmap(nullptr, region_size(), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  Mark* before = nullptr;
  auto* made = static_cast<Mark*>(pages);
  if (__atomic_compare_exchange_n(&regions[number], &before, made, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    return made;
  }
  real_allocator.munmap(pages, region_size());  // another thread was quicker
  return before;
}

Mark& mark_in(Mark* region, std::uintptr_t address) {
  constexpr std::uintptr_t kInside = (std::uintptr_t{1} << kRegionBits) - 1;
  return region[(address & kInside) >> shift()];
}

}  // namespace

constinit bool counts_marked_only = false;

void forget_marks() {
  for (Mark*& region : regions) {
    Mark* marks = __atomic_load_n(&region, __ATOMIC_ACQUIRE);
    if (marks != nullptr) madvise(marks, region_size(), MADV_DONTNEED);
  }
}

bool mark(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  Mark* region = region_of(address);
  if (region == nullptr) [[unlikely]]
    region = make_region(address);
  if (region == nullptr) return false;
  __atomic_store_n(&mark_in(region, address), Mark{1}, __ATOMIC_RELAXED);
  return true;
}

// Whoever frees a block is the only one that has it.
bool take_mark(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  Mark* region = region_of(address);
  if (region == nullptr) return false;
  Mark& found = mark_in(region, address);
  if (__atomic_load_n(&found, __ATOMIC_RELAXED) == 0) return false;
  __atomic_store_n(&found, Mark{0}, __ATOMIC_RELAXED);
  return true;
}

}  // namespace pyrometer::preload
