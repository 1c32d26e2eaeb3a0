// What an interpreter exports beside the limited API, found by name at run time. Each may be
// missing; whoever uses one asks first.
#pragma once

#include <cstddef>
#include <cstdint>

struct _object;
struct _ts;
struct _is;

namespace pyrometer {

struct Symbols {
  std::uint32_t version = 0;  // as sys.hexversion

  // The thread state that is attached to this thread; on 3.11 that of whoever holds the GIL.
  _ts* (*attached_thread_state)() = nullptr;
  // The thread state of this thread, attached or not.
  _ts* (*own_thread_state)() = nullptr;
  int (*is_finalizing)() = nullptr;
  int (*add_code_watcher)(int (*callback)(int event, _object* code)) = nullptr;  // 3.12+
  int (*clear_code_watcher)(int watcher) = nullptr;                              // 3.12+
  // All threads of an interpreter; with the GIL.
  _ts* (*first_thread_state)(_is* interpreter) = nullptr;
  _ts* (*next_thread_state)(_ts* state) = nullptr;

  // The youngest of all interpreters in this process, without the GIL and in handlers.
  _is* (*newest_interpreter)() = nullptr;

  const char* runtime = nullptr;  // _PyRuntime
  std::size_t runtime_size = 0;

  std::uint32_t minor() const { return (version >> 16U) & 0xffU; }
  bool is_in_runtime(std::uintptr_t address) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(runtime);
    return address >= begin && address < begin + runtime_size;
  }
};

Symbols find_symbols();

}  // namespace pyrometer
