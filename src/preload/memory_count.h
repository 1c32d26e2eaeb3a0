// Counts what each thread allocates and frees, and decides which blocks the agent hears of. On the
// way of every malloc: a few additions, and a look at one bit for every free. The quick functions
// are for nearly all blocks, and call nothing; they say when there is more to do.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "os/memory_table.h"
#include "preload/memory_marks.h"
#include "preload/memory_real.h"

namespace pyrometer::preload {

using FilterBits = std::uint8_t[PYROMETER_BLOCK_FILTER_BYTES];
// NOLINTBEGIN(bugprone-dynamic-static-initializers): they are constants, in their one source.
extern constinit thread_local pyrometer_thread_memory own_memory [[gnu::tls_model("initial-exec")]];
extern constinit FilterBits block_filter, object_filter;
extern constinit std::uint32_t current_count;  // from zero; 0: since the program began
// What `is_inside` and `count` are, as one number, in a thread whose blocks count without further
// ado; no thread's before the allocator is known, where blocks have no headers, and where only
// those that are marked count.
extern constinit std::uint64_t quick_state;
// NOLINTEND(bugprone-dynamic-static-initializers)

void choose_quick_state();
void meet_memory_agent(const pyrometer_memory_agent* agent);
// Nothing was allocated until now. Threads learn of it with the next block they make or free.
void count_from_zero();
void begin_count(pyrometer_thread_memory& own);
std::int64_t heap_of_process();
// What threads did since they last said so.
void publish(pyrometer_thread_memory& own);
// Mappings and arenas; negative when they go.
void add_to_heap(std::int64_t bytes);

// The rare cases; they keep errno.
void tell_of_block(const void* block, std::size_t size, pyrometer_block_kind kind,
                   const void* caller);
void tell_of_end(const void* block);
void tell_of_mapping(const void* begin, std::size_t size, const void* caller);
// Returns how many bytes of that range counted.
std::int64_t tell_of_unmapping(const void* begin, std::size_t size);

inline bool hides_much(const pyrometer_thread_memory& own) {
  constexpr std::int64_t kMuch = 64 << 10;
  const std::int64_t hidden = own.live - own.published;
  return hidden > kMuch || hidden < -kMuch;
}

inline void publish_when_much(pyrometer_thread_memory& own) {
  if (hides_much(own)) [[unlikely]]
    publish(own);
}

inline pyrometer_thread_memory& counting_thread() {
  pyrometer_thread_memory& own = own_memory;
  if (own.count != current_count) [[unlikely]]
    begin_count(own);
  return own;
}

inline void count_came(pyrometer_thread_memory& own, std::int64_t usable) {
  own.allocated += usable;
  own.live += usable;
  if (own.live > own.most_live) own.most_live = own.live;
}

inline void block_came(void* block, std::size_t size, const void* caller) {
  pyrometer_thread_memory& own = counting_thread();
  if (block == nullptr || own.is_inside != 0) return;
  if (counts_marked_only && !mark(block)) [[unlikely]]
    return;
  count_came(own, usable_size(block));
  if (size >= PYROMETER_BIG_BLOCK) [[unlikely]] {
    tell_of_block(block, size, PYROMETER_BIG, caller);
  } else {
    own.until_sample -= static_cast<std::int64_t>(size);
    if (own.until_sample <= 0) [[unlikely]]
      tell_of_block(block, size, PYROMETER_HEAP_BLOCK, caller);
  }
  publish_when_much(own);
}

inline bool may_be_known(const FilterBits& filter, const void* block) {
  const std::uint32_t slot = pyrometer_block_slot(block);
  return (__atomic_load_n(&filter[slot / 8], __ATOMIC_RELAXED) >> slot % 8 & 1U) != 0;
}

// Whether it counted.
inline bool block_goes(void* block) {
  pyrometer_thread_memory& own = counting_thread();
  if (counts_marked_only && !take_mark(block)) [[unlikely]]
    return false;
  if (own.is_inside != 0) return false;
  own.live -= usable_size(block);
  if (may_be_known(block_filter, block)) [[unlikely]]
    tell_of_end(block);
  publish_when_much(own);
  return true;
}

inline bool counts_quickly(const pyrometer_thread_memory& own) {
  static_assert(offsetof(pyrometer_thread_memory, count) ==
                offsetof(pyrometer_thread_memory, is_inside) + sizeof(std::uint32_t));
  std::uint64_t state = 0;
  std::memcpy(&state, &own.is_inside, sizeof(state));
  return state == quick_state;
}

// Before the block is there. False: nothing was done yet, as somebody may hear of it.
inline bool asks_quickly(pyrometer_thread_memory& own, std::size_t size) {
  const auto bytes = static_cast<std::int64_t>(size);
  if (size >= PYROMETER_BIG_BLOCK || own.until_sample <= bytes) [[unlikely]]
    return false;
  own.until_sample -= bytes;
  return true;
}

// False: it is not counted yet.
inline bool comes_quickly(pyrometer_thread_memory& own, const void* block) {
  if (block == nullptr) [[unlikely]]
    return false;
  const BlockHeader header(block);
  if (header.is_mapped()) [[unlikely]]
    return false;
  count_came(own, header.usable());
  return true;
}

// False: nothing was done yet.
inline bool block_goes_quickly(pyrometer_thread_memory& own, const void* block) {
  const BlockHeader header(block);
  if (header.is_mapped() || may_be_known(block_filter, block)) [[unlikely]]
    return false;
  own.live -= header.usable();
  return true;
}

}  // namespace pyrometer::preload
