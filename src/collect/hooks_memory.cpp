#include "collect/hooks_memory.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pyrometer {
namespace {

// Exported by every CPython, though not part of its limited API.
enum PoolDomain : int { kMemory = 1, kObjects = 2 };  // 0, raw, is malloc
using PoolFunction = void (*)(int domain, pyrometer_pool* pool);
using ArenasFunction = void (*)(pyrometer_arenas* arenas);

constexpr std::size_t kSmall = 64;

template <class Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

// Whether the pool asks malloc for a block of this size.
bool is_from_malloc(const pyrometer_memory_table& library, const pyrometer_pool& pool,
                    std::size_t size) {
  const pyrometer_thread_memory& own = *library.own_thread();
  const std::int64_t before = own.allocated;
  void* block = pool.malloc(pool.context, size);
  const bool is_seen = own.allocated != before;
  if (block != nullptr) pool.free(pool.context, block);
  return is_seen;
}

// What is Python's and what is ours. Whoever comes before us meanwhile, as tracemalloc does, keeps
// calling us: then we stay, and are there already the next time.
struct HookedPool {
  int domain = kObjects;
  pyrometer_pool original{}, ours{};
  ObjectEnds ends = ObjectEnds::kOfAll;
  bool is_hooked = false;
};
HookedPool hooked_pools[] = {{.domain = kMemory}, {.domain = kObjects}};

struct HookedArenas {
  pyrometer_arenas original{}, ours{};
  bool is_hooked = false;
};
HookedArenas hooked_arenas;

bool is_same(const pyrometer_pool& a, const pyrometer_pool& b) {
  return a.context == b.context && a.malloc == b.malloc;
}
bool is_same(const pyrometer_arenas& a, const pyrometer_arenas& b) {
  return a.context == b.context && a.alloc == b.alloc;
}

constexpr std::size_t kLargestSmall = 512, kLarge = 4096;

bool wrap(const pyrometer_memory_table& library, pyrometer_pool& pool, ObjectEnds ends) {
  if (ends == ObjectEnds::kOfAll) {
    const bool is_split = is_from_malloc(library, pool, kLarge);
    return library.wrap_pool(&pool, is_split ? kLargestSmall : SIZE_MAX) != 0;
  }
  const bool is_python = !is_from_malloc(library, pool, kLargestSmall) &&
                         is_from_malloc(library, pool, kLargestSmall + 1);
  return is_python && library.wrap_moving_pool(&pool) != 0;
}

void hook_pool(const pyrometer_memory_table& library, HookedPool& hooked, ObjectEnds ends) {
  const auto get = find<PoolFunction>("PyMem_GetAllocator");
  const auto set = find<PoolFunction>("PyMem_SetAllocator");
  if (hooked.is_hooked || get == nullptr || set == nullptr) return;
  pyrometer_pool pool{};
  get(hooked.domain, &pool);
  if (is_from_malloc(library, pool, kSmall)) return;
  const bool is_ready = hooked.ours.malloc != nullptr && is_same(pool, hooked.original) &&
                        (hooked.ends == ends || hooked.ends == ObjectEnds::kOfAll);
  if (!is_ready) {
    hooked.original = hooked.ours = pool;
    hooked.ends = ends;
    if (!wrap(library, hooked.ours, ends)) {
      hooked.ours.malloc = nullptr;
      if (ends == ObjectEnds::kOfFew) hook_pool(library, hooked, ObjectEnds::kOfAll);
      return;
    }
  }
  set(hooked.domain, &hooked.ours);
  hooked.is_hooked = true;
}

void unhook_pool(HookedPool& hooked) {
  if (!hooked.is_hooked) return;
  pyrometer_pool pool{};
  find<PoolFunction>("PyMem_GetAllocator")(hooked.domain, &pool);
  if (!is_same(pool, hooked.ours)) return;
  find<PoolFunction>("PyMem_SetAllocator")(hooked.domain, &hooked.original);
  hooked.is_hooked = false;
}

void hook_arenas(const pyrometer_memory_table& library) {
  const auto get = find<ArenasFunction>("PyObject_GetArenaAllocator");
  const auto set = find<ArenasFunction>("PyObject_SetArenaAllocator");
  if (hooked_arenas.is_hooked || get == nullptr || set == nullptr) return;
  get(&hooked_arenas.original);
  hooked_arenas.ours = hooked_arenas.original;
  library.wrap_arenas(&hooked_arenas.ours);
  set(&hooked_arenas.ours);
  hooked_arenas.is_hooked = true;
}

void unhook_arenas() {
  if (!hooked_arenas.is_hooked) return;
  pyrometer_arenas arenas{};
  find<ArenasFunction>("PyObject_GetArenaAllocator")(&arenas);
  if (!is_same(arenas, hooked_arenas.ours)) return;
  find<ArenasFunction>("PyObject_SetArenaAllocator")(&hooked_arenas.original);
  hooked_arenas.is_hooked = false;
}

}  // namespace

const pyrometer_memory_table* usable_memory_library(const void* table) {
  const auto* library = static_cast<const pyrometer_memory_table*>(table);
  const bool is_usable = library != nullptr && library->version >= PYROMETER_MEMORY_VERSION &&
                         library->size >= sizeof(*library);
  return is_usable ? library : nullptr;
}

// What we allocate ourselves, in threads of the program too, is not the program's memory.
const pyrometer_memory_table* find_memory_library() {
  const auto* library = usable_memory_library(find<const void*>(PYROMETER_MEMORY_SYMBOL));
  static bool does_pass = false;
  if (library != nullptr && !std::exchange(does_pass, true)) {
    library->let_pass(reinterpret_cast<const void*>(&find_memory_library));
  }
  return library;
}

bool objects_come_from_malloc(const pyrometer_memory_table& library) {
  const auto get_pool = find<PoolFunction>("PyMem_GetAllocator");
  if (get_pool == nullptr) return false;
  pyrometer_pool pool{};
  get_pool(kObjects, &pool);
  return is_from_malloc(library, pool, kSmall);
}

// With PYTHONMALLOC=malloc there is nothing to hook; otherwise Python keeps small blocks for itself
// and asks malloc for the others, or keeps all of them in builds without a GIL.
void hook_python_memory(const pyrometer_memory_table& library, ObjectEnds ends) {
  for (HookedPool& pool : hooked_pools) hook_pool(library, pool, ends);
  hook_arenas(library);
}

bool hear_of_all_object_ends(const pyrometer_memory_table& library) {
  bool does_hear = true;
  for (HookedPool& pool : hooked_pools) {
    if (!pool.is_hooked || pool.ends == ObjectEnds::kOfAll) continue;
    unhook_pool(pool);
    hook_pool(library, pool, ObjectEnds::kOfAll);
    does_hear = does_hear && pool.ends == ObjectEnds::kOfAll;
  }
  return does_hear;
}

void unhook_python_memory() {
  for (HookedPool& pool : hooked_pools) unhook_pool(pool);
  unhook_arenas();
}

}  // namespace pyrometer
