// Counts what each thread copies, and decides which copies the agent hears of. On the way of every
// memcpy: a subtraction and two comparisons.
#pragma once

#include <cstddef>
#include <cstdint>

#include "os/copies_table.h"

namespace pyrometer::preload {

// Of the calling thread; a signal handler that copies in between takes nothing from it but bytes.
struct OwnCopies {
  std::int64_t until_sample = 0;  // bytes of smaller copies until one is told of
  bool is_inside = false;         // what is copied now is ours
};
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is a constant, in its one source.
extern constinit thread_local OwnCopies own_copies [[gnu::tls_model("initial-exec")]];

void meet_copies_agent(const pyrometer_copies_agent* agent);

// The rare case; keeps errno.
void tell_of_copy(std::size_t bytes, const void* caller);

// True when the agent is to hear of this one.
inline bool count_copy(std::size_t bytes) {
  if (bytes >= PYROMETER_BIG_COPY) [[unlikely]]
    return true;
  OwnCopies& own = own_copies;
  own.until_sample -= static_cast<std::int64_t>(bytes);
  return own.until_sample <= 0;
}

}  // namespace pyrometer::preload
