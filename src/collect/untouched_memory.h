// Memory that was allocated but never touched takes no room: the kernel gives pages when they are.
#pragma once

#include <cstdint>
#include <vector>

#include "collect/memory_ledger.h"

namespace pyrometer {

// Bytes of big blocks whose pages nobody touched yet, by site.
std::vector<std::int64_t> untouched_by_site(const std::vector<MemoryLedger::BigBlock>& blocks);

}  // namespace pyrometer
