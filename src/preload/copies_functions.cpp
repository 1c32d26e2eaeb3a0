// memcpy and its relatives as the program sees them. They may be called before this library's own
// constructor, even before the dynamic linker has made its addresses good: until then they copy by
// themselves, and touch nothing that needs those. Headers that declare them are not included, as
// these may define them too.
#include <dlfcn.h>

#include <cstddef>

#include "preload/copies_count.h"

#define PYROMETER_EXPORT [[gnu::visibility("default")]]

namespace {

using pyrometer::preload::count_copy;
using pyrometer::preload::tell_of_copy;
using Move = void* (*)(void*, const void*, std::size_t);

// The C library's memmove does for all of them: where memcpy is another function, that is hardly
// quicker, and old programs rely on a memcpy that allows overlaps.
constinit Move real_move = nullptr;

[[gnu::constructor]] void find_real_move() {
  real_move = reinterpret_cast<Move>(dlsym(RTLD_NEXT, "memmove"));
}

// Volatile, lest the compiler makes a call of memmove of it.
[[gnu::noinline]] void* move_by_ourselves(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<volatile char*>(to);
  const auto* in = static_cast<const volatile char*>(from);
  if (to < from) {
    for (std::size_t i = 0; i < bytes; ++i) out[i] = in[i];
  } else {
    for (std::size_t i = bytes; i-- > 0;) out[i] = in[i];
  }
  return to;
}

// Of its own, so that nearly all calls only jump on to the C library.
[[gnu::noinline]] void* told_move(void* to, const void* from, std::size_t bytes,
                                  const void* caller) {
  tell_of_copy(bytes, caller);
  return real_move(to, from, bytes);
}

inline void* move(void* to, const void* from, std::size_t bytes, const void* caller) {
  const Move real = real_move;
  if (real == nullptr) [[unlikely]]
    return move_by_ourselves(to, from, bytes);
  if (count_copy(bytes)) [[unlikely]]
    return told_move(to, from, bytes, caller);
  return real(to, from, bytes);
}

inline void* end_of(void* begin, std::size_t bytes) { return static_cast<char*>(begin) + bytes; }

}  // namespace

// The C library's names of functions, and ours of what they are given.
// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

[[noreturn]] void __chk_fail();  // of the C library: there is less room than is to be filled

PYROMETER_EXPORT void* memcpy(void* to, const void* from, std::size_t bytes) {
  return move(to, from, bytes, __builtin_return_address(0));
}

PYROMETER_EXPORT void* memmove(void* to, const void* from, std::size_t bytes) {
  return move(to, from, bytes, __builtin_return_address(0));
}

PYROMETER_EXPORT void* mempcpy(void* to, const void* from, std::size_t bytes) {
  return end_of(move(to, from, bytes, __builtin_return_address(0)), bytes);
}

// As programs call them that were compiled with _FORTIFY_SOURCE.
PYROMETER_EXPORT void* __memcpy_chk(void* to, const void* from, std::size_t bytes,
                                    std::size_t room) {
  if (room < bytes) __chk_fail();
  return move(to, from, bytes, __builtin_return_address(0));
}

PYROMETER_EXPORT void* __memmove_chk(void* to, const void* from, std::size_t bytes,
                                     std::size_t room) {
  if (room < bytes) __chk_fail();
  return move(to, from, bytes, __builtin_return_address(0));
}

PYROMETER_EXPORT void* __mempcpy_chk(void* to, const void* from, std::size_t bytes,
                                     std::size_t room) {
  if (room < bytes) __chk_fail();
  return end_of(move(to, from, bytes, __builtin_return_address(0)), bytes);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
