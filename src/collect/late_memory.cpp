#include "collect/late_memory.h"

#include <dlfcn.h>

#include "base/file.h"
#include "collect/hooks_memory.h"
#include "collect/replaced_function.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

const pyrometer_memory_table* late_library = nullptr;
ReplacedFunction create_library;

Path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0) return {};
  return Path(info.dli_fname).parent_path();
}

// What an extension module allocates from its first import on is the recording's, while other
// libraries are found when the session's thread looks for them next: `dlopen` itself we leave
// alone, as it searches where its caller may.
PyObject* call_create_library(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* module = create_library.call(arguments, keywords);
  late_library->follow_imports();
  return module;
}

}  // namespace

Result<const pyrometer_memory_table*> load_memory_library() {
  if (late_library != nullptr) return late_library;
  const Path file = own_folder() / "_memory.so";
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return fail(ErrorCode::kNotFound,
                "memory cannot be recorded, as the library for it cannot be loaded: {}",
                reason == nullptr ? file.string() : reason);
  }
  const auto* found = usable_memory_library(dlsym(library, PYROMETER_MEMORY_SYMBOL));
  if (found == nullptr) {
    return fail(ErrorCode::kUnsupported,
                "memory cannot be recorded, as '{}' belongs to another version of Pyrometer; "
                "install Pyrometer again",
                file.string());
  }
  late_library = found;
  return found;
}

void begin_late_memory(const pyrometer_memory_table& library) {
  static PyMethodDef definition = method_definition("create_dynamic", &call_create_library);
  library.stand_before_imports(reinterpret_cast<const void*>(&own_folder));
  create_library.install("_imp", definition);
}

void end_late_memory(const pyrometer_memory_table& library) {
  create_library.uninstall("_imp", "create_dynamic");
  library.leave_imports();
}

}  // namespace pyrometer
