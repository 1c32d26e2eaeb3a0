// The allocator behind us: the C library's, or one that the user preloaded.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pyrometer::preload {

struct RealAllocator {
  void* (*malloc)(std::size_t) = nullptr;
  void (*free)(void*) = nullptr;
  void* (*calloc)(std::size_t, std::size_t) = nullptr;
  void* (*realloc)(void*, std::size_t) = nullptr;
  int (*posix_memalign)(void**, std::size_t, std::size_t) = nullptr;
  void* (*aligned_alloc)(std::size_t, std::size_t) = nullptr;
  void* (*memalign)(std::size_t, std::size_t) = nullptr;
  void* (*valloc)(std::size_t) = nullptr;
  void* (*pvalloc)(std::size_t) = nullptr;
  std::size_t (*usable_size)(void*) = nullptr;
  void* (*mmap)(void*, std::size_t, int, int, int, off_t) = nullptr;
  int (*munmap)(void*, std::size_t) = nullptr;
  void* (*mremap)(void*, std::size_t, std::size_t, int, ...) = nullptr;
  bool has_headers = false;  // the size of a block stands before it, as in the GNU C library
  // Its code, where that maps memory through us, as allocators that were preloaded do.
  const char *code_begin = nullptr, *code_end = nullptr;
};

// NOLINTBEGIN(bugprone-dynamic-static-initializers): they are constants, in their one source.
extern constinit RealAllocator real_allocator;
extern constinit char early_room[64U << 10];
// NOLINTEND(bugprone-dynamic-static-initializers)
void find_real_allocator();
// The same where we were not loaded before the program: what it calls itself.
void find_program_allocator();
void* find_in_program(const char* name);  // never a function of ours
void* find_behind(const char* name);      // of libraries that come after us

// Mappings that blocks lie in are not counted, as the blocks are.
inline bool is_allocator(const void* caller) {
  return caller >= real_allocator.code_begin && caller < real_allocator.code_end;
}

inline bool is_known() { return real_allocator.free != nullptr; }
inline const RealAllocator& real() {
  if (!is_known()) [[unlikely]]
    find_real_allocator();
  return real_allocator;
}

// What the GNU C library writes before a block.
class BlockHeader {
 public:
  static constexpr std::size_t kIsMapped = 2;

  explicit BlockHeader(const void* block) {
    std::memcpy(&bits_, static_cast<const char*>(block) - sizeof(bits_), sizeof(bits_));
  }
  // By itself, not a part of the heap: then `usable` is not the size.
  bool is_mapped() const { return (bits_ & kIsMapped) != 0; }
  std::int64_t usable() const {
    constexpr std::size_t kFlags = 7;
    return static_cast<std::int64_t>((bits_ & ~kFlags) - sizeof(bits_));
  }

 private:
  std::size_t bits_ = 0;
};

// Asking the allocator takes longer than all else that we do.
inline std::int64_t usable_size(void* block) {
  if (real_allocator.has_headers) [[likely]] {
    const BlockHeader header(block);
    if (!header.is_mapped()) [[likely]]
      return header.usable();
  }
  return static_cast<std::int64_t>(real_allocator.usable_size(block));
}

// Looking for it needs memory itself: that comes from a small room of ours and stays. The headers
// of such blocks say that they are mapped, so that they are never taken for quick ones.
bool is_looking();
void* early_block(std::size_t size);
inline bool is_early(const void* block) {
  return static_cast<const char*>(block) >= early_room &&
         static_cast<const char*>(block) < early_room + sizeof(early_room);
}
std::size_t early_size(const void* block);

}  // namespace pyrometer::preload
