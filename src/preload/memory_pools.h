// Python's own allocator, as the agent hands it over: small objects are sampled as other blocks
// are, and the arenas they lie in belong to the heap.
#pragma once

#include <cstddef>

#include "os/memory_table.h"
#include "preload/memory_count.h"

namespace pyrometer::preload {

constexpr std::size_t kLargestObject = 512;  // larger ones come from malloc

int wrap_pool(pyrometer_pool* pool, std::size_t largest);
int wrap_moving_pool(pyrometer_pool* pool);
void wrap_arenas(pyrometer_arenas* arenas);

// Decided before the object is there: nearly all calls then only jump on to the pool. What they do
// besides is behind a jump, too, so that they save no registers.
inline bool object_is_due(std::size_t size, std::size_t largest) {
  if (size > largest) return false;
  pyrometer_thread_memory& own = own_memory;
  own.until_object -= static_cast<std::int64_t>(size);
  return own.until_object <= 0;
}

}  // namespace pyrometer::preload
