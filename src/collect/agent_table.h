/* How the agent (inside Python's interpreter) and a preload library (inside the same process,
 * loaded before it) find each other. Plain C, and only ever extended at the end: each side reads
 * `version` and `size` before it uses a field. Either works without the other.
 *
 * The preload library is visible to every dlsym; the agent, as an extension module, is not. So
 * the agent looks for the symbol PYROMETER_PRELOAD_SYMBOL and introduces itself. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming,modernize-redundant-void-arg): this is C. */
#define PYROMETER_TABLE_VERSION 1
#define PYROMETER_PRELOAD_SYMBOL "pyrometer_preload_table"

struct pyrometer_agent_table {
  uint32_t version; /* PYROMETER_TABLE_VERSION */
  uint32_t size;    /* of this struct, as the agent knows it */
  /* 1 while this process is recorded. */
  int (*is_recording)(void);
  /* Adds a sentence to the recording, for the person who reads it. */
  void (*message)(const char* sentence);

  /* An attribute of the process; a later one of the same key replaces it. */
  void (*attribute)(const char* key, const char* value);
  /* The calling thread enters an MPI function (a row of mpi_functions below) that hands over so
   * many bytes in a communicator of that size (0: none), and leaves it. Never nested. */
  void (*mpi_begin)(uint32_t function, uint64_t bytes, uint32_t communicator);
  void (*mpi_end)(void);
  /* The process is about to end by MPI_Abort: everything is written out. */
  void (*mpi_abort)(int code);
};

struct pyrometer_preload_table {
  uint32_t version;
  uint32_t size;
  /* The agent is there, from now until the process ends. */
  void (*agent_came)(const struct pyrometer_agent_table* agent);

  /* The names of the MPI functions that are told of. */
  const char* const* mpi_functions;
  uint32_t mpi_function_count;
};

/* NOLINTEND(readability-identifier-naming,modernize-redundant-void-arg) */

#ifdef __cplusplus
}
#endif
