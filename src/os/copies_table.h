/* How the agent and the library that stands before memcpy (preload/copies_*) find each other, in
 * the way of collect/agent_table.h. The library counts bytes and decides by that which copies the
 * agent hears of; the agent knows where in the program they are made. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): this is C. */
#define PYROMETER_COPIES_VERSION 1
#define PYROMETER_COPIES_SYMBOL "pyrometer_copies_table"

/* Copies of this size are told of one by one, whatever the sampling. */
#define PYROMETER_BIG_COPY ((size_t)1 << 20)

struct pyrometer_copies_agent {
  uint32_t version; /* PYROMETER_COPIES_VERSION */
  uint32_t size;    /* of this struct, as the agent knows it */
  /* The calling thread is about to copy, for the code at `caller`. Returns the bytes until its next
   * smaller copy to be told of; of a big one the answer is not looked at. May be called from signal
   * handlers, but never while it runs in the same thread. */
  int64_t (*copied)(size_t bytes, const void* caller);
};

struct pyrometer_copies_table {
  uint32_t version;
  uint32_t size;
  /* The agent is there from now on; NULL: nobody is told any more. */
  void (*agent_came)(const struct pyrometer_copies_agent* agent);
};

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
