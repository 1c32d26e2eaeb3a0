// Python's own allocator, as the agent hands it over: small objects are sampled as other blocks
// are, and the arenas they lie in belong to the heap.
#pragma once

#include <cstddef>

#include "os/memory_table.h"

namespace pyrometer::preload {

int wrap_pool(pyrometer_pool* pool, std::size_t largest);
void wrap_arenas(pyrometer_arenas* arenas);

}  // namespace pyrometer::preload
