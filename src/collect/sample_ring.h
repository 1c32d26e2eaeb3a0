// Samples from one thread's signal handler to the recorder's thread.
#pragma once

#include <cstdint>

#include "os/event_ring.h"

namespace pyrometer {

struct Sample {
  std::int64_t time = 0;    // monotonic clock
  std::int64_t cpu = 0;     // ns of CPU since the sample before, of which
  std::int64_t system = 0;  // so many in the kernel
  std::uintptr_t program_counter = 0;
  std::uint32_t node = 0;  // in the thread's CallTree; inside MPI: the site
  bool is_mpi = false;
  bool after_system_call = false;
  bool is_shutdown = false;  // the interpreter is ending: its frames were not looked at

  // Of a task of asyncio (collect/task_finder.h).
  std::uintptr_t coroutine_frame = 0;  // where its coroutine keeps it
  std::uint32_t coroutine_frames = 0;  // from the task's coroutine to `coroutine_node`; 0: no task
  std::uint32_t coroutine_node = 0;    // in the thread's CallTree
  std::uint64_t step = 0;              // equal as long as the task was not suspended; 0: unknown
};

using SampleRing = EventRing<Sample>;

}  // namespace pyrometer
