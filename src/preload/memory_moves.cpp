// Python's own allocator where nobody asks for the end of every object: the few objects that are
// told of move into blocks of malloc. Python gives those back to malloc by itself, where each end
// is heard anyway: so nothing stands before the end of all the others.
#include <cstring>

#include "preload/memory_count.h"
#include "preload/memory_pools.h"

namespace pyrometer::preload {
namespace {

// What is behind all pools of this kind: they are one, and know no context.
pyrometer_pool behind;

// As malloc does with a block of its own.
void count_moved(pyrometer_thread_memory& own, void* block) {
  if (counts_marked_only && !mark(block)) return;
  count_came(own, usable_size(block));
  publish_when_much(own);
}

[[gnu::noinline]] void* move_and_tell(void* object, std::size_t size) {
  pyrometer_thread_memory& own = counting_thread();
  if (object == nullptr || own.until_object > 0 || own.is_inside != 0) return object;
  own.is_inside = 1;  // nobody asked for a block of that size
  void* moved = behind.malloc(behind.context, kLargestObject + 1);
  own.is_inside = 0;
  if (moved == nullptr) return object;
  count_moved(own, moved);
  std::memcpy(moved, object, size);
  behind.free(behind.context, object);
  tell_of_block(moved, size, PYROMETER_OBJECT, nullptr);
  return moved;
}

[[gnu::noinline]] void* malloc_and_tell(std::size_t size) {
  return move_and_tell(behind.malloc(behind.context, size), size);
}

[[gnu::noinline]] void* calloc_and_tell(std::size_t count, std::size_t size) {
  return move_and_tell(behind.calloc(behind.context, count, size), count * size);
}

[[gnu::noinline]] void* realloc_and_tell(void* before, std::size_t size) {
  return move_and_tell(behind.realloc(behind.context, before, size), size);
}

void* moving_malloc(void* context, std::size_t size) {
  if (object_is_due(size, kLargestObject)) [[unlikely]]
    return malloc_and_tell(size);
  return behind.malloc(context, size);
}

void* moving_calloc(void* context, std::size_t count, std::size_t size) {
  if (object_is_due(count * size, kLargestObject)) [[unlikely]]
    return calloc_and_tell(count, size);
  return behind.calloc(context, count, size);
}

void* moving_realloc(void* context, void* before, std::size_t size) {
  if (object_is_due(size, kLargestObject)) [[unlikely]]
    return realloc_and_tell(before, size);
  return behind.realloc(context, before, size);
}

}  // namespace

int wrap_moving_pool(pyrometer_pool* pool) {
  const bool is_first = behind.malloc == nullptr;
  const bool is_the_same = behind.malloc == pool->malloc && behind.calloc == pool->calloc &&
                           behind.realloc == pool->realloc && behind.free == pool->free;
  if (pool->context != nullptr || (!is_first && !is_the_same)) return 0;
  behind = *pool;
  *pool = {nullptr, &moving_malloc, &moving_calloc, &moving_realloc, behind.free};
  return 1;
}

}  // namespace pyrometer::preload
