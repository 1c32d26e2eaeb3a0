#include "cpython/symbols.h"

#include <dlfcn.h>
#include <link.h>

#include "cpython/python_api.h"

namespace pyrometer {
namespace {

template <class Function>
Function find(const char* name, const char* older_name = nullptr) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr && older_name != nullptr) found = dlsym(RTLD_DEFAULT, older_name);
  return reinterpret_cast<Function>(found);
}

std::size_t size_of_symbol(const void* address) {
  Dl_info info{};
  const ElfW(Sym)* symbol = nullptr;
  void* extra = nullptr;
  if (dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr) return 0;
  symbol = static_cast<const ElfW(Sym)*>(extra);
  return symbol->st_size;
}

}  // namespace

Symbols find_symbols() {
  Symbols symbols;
  symbols.version = static_cast<std::uint32_t>(Py_Version);
  symbols.attached_thread_state = find<decltype(symbols.attached_thread_state)>(
      "PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet");
  symbols.own_thread_state = &PyGILState_GetThisThreadState;
  symbols.is_finalizing =
      find<decltype(symbols.is_finalizing)>("Py_IsFinalizing", "_Py_IsFinalizing");
  symbols.add_code_watcher = find<decltype(symbols.add_code_watcher)>("PyCode_AddWatcher");
  symbols.clear_code_watcher = find<decltype(symbols.clear_code_watcher)>("PyCode_ClearWatcher");
  symbols.first_thread_state =
      find<decltype(symbols.first_thread_state)>("PyInterpreterState_ThreadHead");
  symbols.next_thread_state = find<decltype(symbols.next_thread_state)>("PyThreadState_Next");
  symbols.newest_interpreter =
      find<decltype(symbols.newest_interpreter)>("PyInterpreterState_Head");
  symbols.runtime = find<const char*>("_PyRuntime");
  if (symbols.runtime != nullptr) symbols.runtime_size = size_of_symbol(symbols.runtime);
  return symbols;
}

}  // namespace pyrometer
