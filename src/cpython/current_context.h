// The context (contextvars) that the calling thread runs in. What asyncio or greenlets run beside
// each other in one thread has a context each, so that it tells them apart.
#pragma once

#include <cstddef>

#include "cpython/python_api.h"

namespace pyrometer {

class CurrentContext {
 public:
  // Finds where this interpreter keeps it; once, with the GIL.
  static void prepare();

  // An address to compare, with the GIL. Where contexts cannot be found, that of the thread's
  // state.
  static const void* get() {
    const auto* thread = reinterpret_cast<const char*>(PyThreadState_Get());
    if (offset == kUnknown) return thread;
    const void* context = *reinterpret_cast<void* const*>(thread + offset);
    return context != nullptr ? context : make(thread);
  }

  // Where a thread's state has a number that changes whenever a context is entered or left, as
  // asyncio does for each step of a task; 0: nowhere that we know of.
  static std::size_t changes_offset() { return changes; }

 private:
  static constexpr std::size_t kUnknown = 0;
  static const void* make(const char* thread);

  static inline std::size_t offset = kUnknown;  // in the thread's state
  static inline std::size_t changes = 0;
};

}  // namespace pyrometer
