#include "cpython/current_context.h"

#include <dlfcn.h>

#include <cstdint>

namespace pyrometer {
namespace {

// Not in the limited API, but in every version.
struct ContextFunctions {
  PyObject* (*make)() = nullptr;
  PyObject* (*copy_current)() = nullptr;
  int (*enter)(PyObject*) = nullptr;
  int (*exit)(PyObject*) = nullptr;
};

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

const ContextFunctions& functions() {
  static const ContextFunctions found = [] {
    ContextFunctions all;
    find(all.make, "PyContext_New");
    find(all.copy_current, "PyContext_CopyCurrent");
    find(all.enter, "PyContext_Enter");
    find(all.exit, "PyContext_Exit");
    return all;
  }();
  return found;
}

const void* word_at(const char* thread, std::size_t at) {
  return *reinterpret_cast<void* const*>(thread + at);
}

std::uint64_t number_at(const char* thread, std::size_t at) {
  return *reinterpret_cast<const std::uint64_t*>(thread + at);
}

}  // namespace

// The word of the thread's state that holds a context's address while we are in it, and no longer.
void CurrentContext::prepare() {
  constexpr std::size_t kFarthest = 512;  // all versions have it in the first 300 bytes
  const ContextFunctions& call = functions();
  const bool can_ask = call.make != nullptr && call.copy_current != nullptr &&
                       call.enter != nullptr && call.exit != nullptr;
  if (!can_ask || offset != kUnknown) return;
  const auto* thread = reinterpret_cast<const char*>(PyThreadState_Get());
  const Reference context = Reference::take(call.make());
  if (!context || call.enter(context.get()) != 0) {
    PyErr_Clear();
    return;
  }
  std::size_t found = kUnknown;
  std::uint64_t counted = 0;
  for (std::size_t at = sizeof(void*); at < kFarthest && found == kUnknown; at += sizeof(void*)) {
    if (word_at(thread, at) == context.get()) found = at;
  }
  if (found != kUnknown) counted = number_at(thread, found + sizeof(void*));
  const bool is_out = call.exit(context.get()) == 0;
  PyErr_Clear();
  if (!is_out || found == kUnknown || word_at(thread, found) == context.get()) return;
  offset = found;
  // Every version so far counts in the next word.
  const std::size_t next = found + sizeof(void*);
  if (number_at(thread, next) == counted + 1) changes = next;
}

// A thread gets its context when somebody first sets a variable; regions must not see it change.
const void* CurrentContext::make(const char* thread) {
  const KeptError kept;
  const Reference copy = Reference::take(functions().copy_current());
  PyErr_Clear();
  const void* context = word_at(thread, offset);
  return context != nullptr ? context : thread;
}

}  // namespace pyrometer
