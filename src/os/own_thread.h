// What the calling thread knows of itself.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace pyrometer {

// The kernel's number of this thread. Async-signal-safe.
inline int own_tid() { return static_cast<int>(syscall(SYS_gettid)); }

// The upper end of this thread's stack, where it began; 0 when that is not known.
inline std::uintptr_t own_stack_end() {
  pthread_attr_t attributes{};
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(lowest) + size;
}

}  // namespace pyrometer
