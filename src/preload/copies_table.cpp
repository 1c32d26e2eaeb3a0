// What the agent finds of the library that stands before memcpy.
#include "os/copies_table.h"

#include "preload/copies_count.h"

// NOLINTBEGIN(readability-identifier-naming): this is C.
extern "C" {
[[gnu::visibility("default")]] extern const pyrometer_copies_table pyrometer_copies_table;
const struct pyrometer_copies_table pyrometer_copies_table = {
    PYROMETER_COPIES_VERSION, sizeof(struct pyrometer_copies_table),
    &pyrometer::preload::meet_copies_agent};
}
// NOLINTEND(readability-identifier-naming)
