// Anonymous mappings as the program makes them; the allocator makes its own without passing here,
// so nothing counts twice. Mapped files are not heap: the system takes their pages back at will.
#include <sys/mman.h>

#include <cstdarg>

#include "preload/memory_count.h"

#define PYROMETER_EXPORT [[gnu::visibility("default")]]

namespace {

using pyrometer::preload::is_allocator;
using pyrometer::preload::own_memory;
using pyrometer::preload::real;
using pyrometer::preload::tell_of_mapping;
using pyrometer::preload::tell_of_unmapping;

void* map(void* wish, std::size_t size, int protection, int flags, int file, off_t offset,
          const void* caller) {
  void* begin = real().mmap(wish, size, protection, flags, file, offset);
  if (begin == MAP_FAILED || own_memory.is_inside != 0 || is_allocator(caller)) return begin;
  if ((flags & MAP_FIXED) != 0) tell_of_unmapping(begin, size);
  if ((flags & MAP_ANONYMOUS) != 0) tell_of_mapping(begin, size, caller);
  return begin;
}

}  // namespace

// The C library's names of functions, and ours of what they are given.
// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {

PYROMETER_EXPORT void* mmap(void* wish, std::size_t size, int protection, int flags, int file,
                            off_t offset) {
  return map(wish, size, protection, flags, file, offset, __builtin_return_address(0));
}

PYROMETER_EXPORT void* mmap64(void* wish, std::size_t size, int protection, int flags, int file,
                              off_t offset) {
  return map(wish, size, protection, flags, file, offset, __builtin_return_address(0));
}

PYROMETER_EXPORT int munmap(void* begin, std::size_t size) {
  if (own_memory.is_inside == 0) tell_of_unmapping(begin, size);
  return real().munmap(begin, size);
}

PYROMETER_EXPORT void* mremap(void* begin, std::size_t before, std::size_t size, int flags, ...) {
  va_list more;
  va_start(more, flags);
  void* wish = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void*) : nullptr;
  va_end(more);
  void* moved = real().mremap(begin, before, size, flags, wish);
  const void* caller = __builtin_return_address(0);
  if (moved == MAP_FAILED || own_memory.is_inside != 0 || is_allocator(caller)) return moved;
  // Of a file, or from before anybody listened: as little heap as it was.
  if (tell_of_unmapping(begin, before) > 0) tell_of_mapping(moved, size, caller);
  return moved;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
