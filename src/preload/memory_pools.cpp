#include "preload/memory_pools.h"

#include "preload/memory_count.h"

namespace pyrometer::preload {
namespace {

struct WrappedPool {
  pyrometer_pool original;
  std::size_t largest;
};
WrappedPool wrapped_pools[4];
std::size_t wrapped_pool_count = 0;
pyrometer_arenas wrapped_arenas;

[[gnu::noinline]] void* told_of_object(void* block, std::size_t size, const void* caller) {
  pyrometer_thread_memory& own = counting_thread();
  if (block != nullptr && own.until_object <= 0 && own.is_inside == 0)
    tell_of_block(block, size, PYROMETER_OBJECT, caller);
  return block;
}

[[gnu::noinline]] void* malloc_and_tell(const WrappedPool& pool, std::size_t size,
                                        const void* caller) {
  void* block = pool.original.malloc(pool.original.context, size);
  return told_of_object(block, size, caller);
}

[[gnu::noinline]] void* calloc_and_tell(const WrappedPool& pool, std::size_t count,
                                        std::size_t size, const void* caller) {
  void* block = pool.original.calloc(pool.original.context, count, size);
  return told_of_object(block, count * size, caller);
}

[[gnu::noinline]] void* realloc_and_tell(const WrappedPool& pool, void* before, std::size_t size,
                                         const void* caller) {
  void* block = pool.original.realloc(pool.original.context, before, size);
  return told_of_object(block, size, caller);
}

bool may_be_told_of(const void* block) {
  return block != nullptr && may_be_known(object_filter, block);
}

[[gnu::noinline]] void tell_of_object_end(const void* block) {
  if (own_memory.is_inside == 0) tell_of_end(block);
}

[[gnu::noinline]] void tell_and_free(const WrappedPool& pool, void* block) {
  tell_of_object_end(block);
  pool.original.free(pool.original.context, block);
}

void* pool_malloc(void* context, std::size_t size) {
  const auto& pool = *static_cast<const WrappedPool*>(context);
  if (object_is_due(size, pool.largest)) [[unlikely]]
    return malloc_and_tell(pool, size, __builtin_return_address(0));
  return pool.original.malloc(pool.original.context, size);
}

void* pool_calloc(void* context, std::size_t count, std::size_t size) {
  const auto& pool = *static_cast<const WrappedPool*>(context);
  if (object_is_due(count * size, pool.largest)) [[unlikely]]
    return calloc_and_tell(pool, count, size, __builtin_return_address(0));
  return pool.original.calloc(pool.original.context, count, size);
}

void* pool_realloc(void* context, void* before, std::size_t size) {
  const auto& pool = *static_cast<const WrappedPool*>(context);
  if (may_be_told_of(before)) [[unlikely]]
    tell_of_object_end(before);
  if (object_is_due(size, pool.largest)) [[unlikely]]
    return realloc_and_tell(pool, before, size, __builtin_return_address(0));
  return pool.original.realloc(pool.original.context, before, size);
}

void pool_free(void* context, void* block) {
  const auto& pool = *static_cast<const WrappedPool*>(context);
  if (may_be_told_of(block)) [[unlikely]]
    return tell_and_free(pool, block);
  pool.original.free(pool.original.context, block);
}

// What objects lie in is part of the heap, but made by nobody in particular.
void* arena_alloc(void*, std::size_t size) {
  pyrometer_thread_memory& own = own_memory;
  const std::uint32_t before = own.is_inside;
  own.is_inside = 1;
  void* arena = wrapped_arenas.alloc(wrapped_arenas.context, size);
  const bool counts = arena != nullptr && (!counts_marked_only || mark(arena));
  if (counts) add_to_heap(static_cast<std::int64_t>(size));
  own.is_inside = before;
  return arena;
}

void arena_free(void*, void* arena, std::size_t size) {
  pyrometer_thread_memory& own = own_memory;
  const std::uint32_t before = own.is_inside;
  own.is_inside = 1;
  const bool did_count = !counts_marked_only || take_mark(arena);
  wrapped_arenas.free(wrapped_arenas.context, arena, size);
  if (did_count) add_to_heap(-static_cast<std::int64_t>(size));
  own.is_inside = before;
}

}  // namespace

int wrap_pool(pyrometer_pool* pool, std::size_t largest) {
  if (wrapped_pool_count == std::size(wrapped_pools)) return 0;
  WrappedPool& wrapped = wrapped_pools[wrapped_pool_count++];
  wrapped = {*pool, largest};
  *pool = {&wrapped, &pool_malloc, &pool_calloc, &pool_realloc, &pool_free};
  return 1;
}

void wrap_arenas(pyrometer_arenas* arenas) {
  wrapped_arenas = *arenas;
  *arenas = {nullptr, &arena_alloc, &arena_free};
}

}  // namespace pyrometer::preload
