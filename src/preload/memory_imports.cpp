#include "preload/memory_imports.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "preload/imports.h"
#include "preload/memory_count.h"
#include "preload/memory_real.h"

// NOLINTBEGIN(readability-identifier-naming): the C library's names.
extern "C" {
void free_sized(void* block, std::size_t size);
void free_aligned_sized(void* block, std::size_t alignment, std::size_t size);
}
// NOLINTEND(readability-identifier-naming)

namespace pyrometer::preload {
namespace {

struct Wrapped {
  const char* name;
  Function ours;
};

// Our own functions, as the library is linked with -Bsymbolic-functions.
template <class F>
Wrapped wrapped(const char* name, F* ours) {
  return {name, reinterpret_cast<Function>(ours)};
}

struct Pair {
  Wrapped wrapped;
  Function theirs;  // nullptr: the program has no such function
};

Pair pairs[] = {{wrapped("malloc", &malloc), nullptr},
                {wrapped("free", &free), nullptr},
                {wrapped("calloc", &calloc), nullptr},
                {wrapped("realloc", &realloc), nullptr},
                {wrapped("reallocarray", &reallocarray), nullptr},
                {wrapped("posix_memalign", &posix_memalign), nullptr},
                {wrapped("aligned_alloc", &aligned_alloc), nullptr},
                {wrapped("memalign", &memalign), nullptr},
                {wrapped("valloc", &valloc), nullptr},
                {wrapped("pvalloc", &pvalloc), nullptr},
                {wrapped("free_sized", &free_sized), nullptr},
                {wrapped("free_aligned_sized", &free_aligned_sized), nullptr},
                {wrapped("mmap", &mmap), nullptr},
                {wrapped("mmap64", &mmap64), nullptr},
                {wrapped("munmap", &munmap), nullptr},
                {wrapped("mremap", &mremap), nullptr}};

std::atomic<bool> stands{false}, is_whole{false};
std::atomic<unsigned long long> changes_seen{0};
std::atomic<int> tries_left{0};
const void* left_out = nullptr;
const void* let_pass_library = nullptr;

// Only what leads to the functions that ours forward to, or will: a library may have brought an
// allocator of its own. An import that was not bound leads there afterwards, as after its first
// call.
Function choose(const Import& import) {
  if (import.library == left_out) return nullptr;
  for (const Pair& pair : pairs) {
    if (std::strcmp(pair.wrapped.name, import.name) != 0) continue;
    if (pair.theirs == nullptr) return nullptr;
    if (!stands.load()) return import.function == pair.wrapped.ours ? pair.theirs : nullptr;
    return import.function == pair.theirs || !import.is_bound ? pair.wrapped.ours : nullptr;
  }
  return nullptr;
}

Function choose_to_pass(const Import& import) {
  if (import.library != let_pass_library) return nullptr;
  for (const Pair& pair : pairs) {
    if (std::strcmp(pair.wrapped.name, import.name) != 0) continue;
    const bool is_ours = import.function == pair.wrapped.ours || !import.is_bound;
    return is_ours ? reinterpret_cast<Function>(find_behind(import.name)) : nullptr;
  }
  return nullptr;
}

const void* library_of(const void* inside) {
  Dl_info info{};
  return dladdr(inside, &info) != 0 ? info.dli_fbase : nullptr;
}

void visit_libraries() {
  pyrometer_thread_memory& own = own_memory;
  const std::uint32_t before = own.is_inside;
  own.is_inside = 1;
  changes_seen.store(count_library_changes());
  is_whole.store(redirect_imports(&choose));
  own.is_inside = before;
}

// A library whose pages never become read-only is left out.
constexpr int kMostTries = 100;

}  // namespace

void stand_before_imports(const void* except) {
  find_program_allocator();
  for (Pair& pair : pairs) {
    pair.theirs = reinterpret_cast<Function>(find_in_program(pair.wrapped.name));
  }
  left_out = library_of(except);
  count_from_zero();
  stands.store(true);
  tries_left.store(kMostTries);
  visit_libraries();
}

void let_pass(const void* inside) {
  let_pass_library = library_of(inside);
  redirect_imports(&choose_to_pass);
}

void follow_imports() {
  if (!stands.load()) return;
  if (changes_seen.load() != count_library_changes()) {
    tries_left.store(kMostTries);
  } else if (is_whole.load() || tries_left.fetch_sub(1) <= 0) {
    return;
  }
  visit_libraries();
}

void leave_imports() {
  if (stands.exchange(false)) visit_libraries();
}

}  // namespace pyrometer::preload
