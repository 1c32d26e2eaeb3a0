// What the agent finds of the library that stands before malloc.
#include "os/memory_table.h"

#include "preload/memory_count.h"
#include "preload/memory_imports.h"
#include "preload/memory_pools.h"

namespace {
pyrometer_thread_memory* own_thread() { return &pyrometer::preload::own_memory; }
}  // namespace

// NOLINTBEGIN(readability-identifier-naming): this is C.
extern "C" {
[[gnu::visibility("default")]] extern const pyrometer_memory_table pyrometer_memory_table;
const struct pyrometer_memory_table pyrometer_memory_table = {
    PYROMETER_MEMORY_VERSION,
    sizeof(struct pyrometer_memory_table),
    &pyrometer::preload::meet_memory_agent,
    &own_thread,
    &pyrometer::preload::heap_of_process,
    pyrometer::preload::block_filter,
    pyrometer::preload::object_filter,
    &pyrometer::preload::wrap_pool,
    &pyrometer::preload::wrap_moving_pool,
    &pyrometer::preload::wrap_arenas,
    &pyrometer::preload::stand_before_imports,
    &pyrometer::preload::follow_imports,
    &pyrometer::preload::leave_imports,
    &pyrometer::preload::let_pass};
}
// NOLINTEND(readability-identifier-naming)
