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

// Where this thread's stack lies; it begins at the upper end. Zeros when that is not known.
struct OwnStack {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};
inline OwnStack own_stack() {
  pthread_attr_t attributes{};
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const auto low = reinterpret_cast<std::uintptr_t>(lowest);
  return {low, low + size};
}

}  // namespace pyrometer
