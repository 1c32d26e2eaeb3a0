// How `pyrometer run --lines` meets the program's code: modules before they run, functions where
// they are decorated.
#include "collect/hooks_lines.h"

#include "collect/line_decorator.h"
#include "collect/main_module_hook.h"
#include "collect/python_modules.h"
#include "collect/replaced_function.h"
#include "cpython/python_types.h"

namespace pyrometer {
namespace {

LineRecording* recording = nullptr;
ReplacedFunction execute;

// The arguments (owned) with the measured code in place of the first, or nullptr.
PyObject* measured_arguments(PyObject* arguments) {
  if (recording == nullptr || PyTuple_Size(arguments) < 2 ||
      !is_code_object(PyTuple_GetItem(arguments, 0))) {
    return nullptr;
  }
  const std::string name = module_name(PyTuple_GetItem(arguments, 1));
  if (name.empty()) return nullptr;
  Reference code = Reference::take(recording->measured_module(PyTuple_GetItem(arguments, 0), name));
  return code ? arguments_with_code(arguments, std::move(code)) : nullptr;
}

// Importing, runpy and test runners all end here with the code of a module.
PyObject* call_execute(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* changed = measured_arguments(arguments);
  if (changed == nullptr) return execute.call(arguments, keywords);
  return execute.call_and_release(changed, keywords);
}

PyObject* measured_main_module(PyObject* code) {
  return recording->measured_module(code, "__main__");
}

}  // namespace

void install_line_hooks(LineRecording& lines, const Layout* layout, const Path& targets_file) {
  recording = &lines;
  static PyMethodDef definition = method_definition("exec", &call_execute);
  execute.install("builtins", definition);
  const std::string& main_file = lines.own_files().main_file();
  if (layout != nullptr && !main_file.empty()) {
    install_main_module_hook(*layout, main_file, &measured_main_module);
  }
  install_line_decorator(lines, targets_file);
  PyErr_Clear();
}

void uninstall_line_hooks() {
  recording = nullptr;
  execute.uninstall("builtins", "exec");
  uninstall_line_decorator();
}

}  // namespace pyrometer
