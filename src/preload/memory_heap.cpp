// malloc and its relatives as the program sees them. All of them forward; none allocates itself.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "preload/memory_count.h"

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is malloc.
#define PYROMETER_EXPORT [[gnu::visibility("default")]]

namespace {

using pyrometer::preload::asks_quickly;
using pyrometer::preload::block_came;
using pyrometer::preload::block_goes;
using pyrometer::preload::block_goes_quickly;
using pyrometer::preload::comes_quickly;
using pyrometer::preload::count_came;
using pyrometer::preload::counts_quickly;
using pyrometer::preload::early_block;
using pyrometer::preload::early_size;
using pyrometer::preload::hides_much;
using pyrometer::preload::is_early;
using pyrometer::preload::is_known;
using pyrometer::preload::is_looking;
using pyrometer::preload::own_memory;
using pyrometer::preload::publish;
using pyrometer::preload::publish_when_much;
using pyrometer::preload::real;
using pyrometer::preload::real_allocator;
using pyrometer::preload::usable_size;

void* told_of(void* block, std::size_t size, const void* caller) {
  block_came(block, size, caller);
  return block;
}

// Behind a jump each, so that the quick way saves no registers.
[[gnu::noinline]] void* malloc_anyhow(std::size_t size, const void* caller) {
  if (!is_known() && is_looking()) return early_block(size);
  return told_of(real().malloc(size), size, caller);
}

[[gnu::noinline]] void* count_anyhow(void* block) {
  if (block == nullptr) return nullptr;
  count_came(own_memory, usable_size(block));
  publish_when_much(own_memory);
  return block;
}

[[gnu::noinline]] void* publish_with(void* block) {
  publish(own_memory);
  return block;
}

[[gnu::noinline]] void free_anyhow(void* block) {
  if (is_early(block)) return;
  const auto& allocator = real();
  block_goes(block);
  allocator.free(block);
}

[[gnu::noinline]] void publish_and_free(void* block) {
  publish(own_memory);
  real_allocator.free(block);
}

void* move_early_block(void* block, std::size_t size) {
  void* moved = std::malloc(size);
  const std::size_t before = early_size(block);
  if (moved != nullptr) std::memcpy(moved, block, before < size ? before : size);
  return moved;
}

}  // namespace

// The C library's names of functions, and ours of what they are given.
// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {

PYROMETER_EXPORT void* malloc(std::size_t size) {
  pyrometer_thread_memory& own = own_memory;
  if (!counts_quickly(own) || !asks_quickly(own, size)) [[unlikely]]
    return malloc_anyhow(size, __builtin_return_address(0));
  void* block = real_allocator.malloc(size);
  if (!comes_quickly(own, block)) [[unlikely]]
    return count_anyhow(block);
  if (hides_much(own)) [[unlikely]]
    return publish_with(block);
  return block;
}

PYROMETER_EXPORT void free(void* block) {
  if (block == nullptr) return;
  pyrometer_thread_memory& own = own_memory;
  if (!counts_quickly(own) || !block_goes_quickly(own, block)) [[unlikely]]
    return free_anyhow(block);
  if (hides_much(own)) [[unlikely]]
    return publish_and_free(block);
  real_allocator.free(block);
}

// From C23, where the C library has none of its own way.
PYROMETER_EXPORT void free_sized(void* block, std::size_t) { free(block); }
PYROMETER_EXPORT void free_aligned_sized(void* block, std::size_t, std::size_t) { free(block); }

PYROMETER_EXPORT void* calloc(std::size_t count, std::size_t size) {
  if (!is_known() && is_looking()) [[unlikely]]
    return early_block(count * size);  // zero, as it was never used
  return told_of(real().calloc(count, size), count * size, __builtin_return_address(0));
}

// The old block goes before the allocator gives its place to another thread.
PYROMETER_EXPORT void* realloc(void* block, std::size_t size) {
  const void* caller = __builtin_return_address(0);
  if (!is_known() && is_looking()) return early_block(size);
  if (block == nullptr) return told_of(real().realloc(block, size), size, caller);
  if (is_early(block)) return move_early_block(block, size);
  const auto& allocator = real();
  const std::size_t before = allocator.usable_size(block);
  const bool did_count = block_goes(block);
  void* moved = allocator.realloc(block, size);
  if (moved != nullptr) return told_of(moved, size, caller);
  if (size != 0 && did_count) block_came(block, before, caller);  // refused: it is still there
  return moved;
}

PYROMETER_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

PYROMETER_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  const int status = real().posix_memalign(block, alignment, size);
  if (status == 0) block_came(*block, size, __builtin_return_address(0));
  return status;
}

PYROMETER_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return told_of(real().aligned_alloc(alignment, size), size, __builtin_return_address(0));
}

PYROMETER_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  return told_of(real().memalign(alignment, size), size, __builtin_return_address(0));
}

PYROMETER_EXPORT void* valloc(std::size_t size) {
  return told_of(real().valloc(size), size, __builtin_return_address(0));
}

PYROMETER_EXPORT void* pvalloc(std::size_t size) {
  return told_of(real().pvalloc(size), size, __builtin_return_address(0));
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
// NOLINTEND(cppcoreguidelines-no-malloc)
