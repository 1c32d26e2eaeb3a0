// How `pyrometer run --lines` meets the program's code: modules before they run, functions where
// they are decorated.
#include "collect/hooks_lines.h"

#include "collect/line_decorator.h"
#include "collect/main_module_hook.h"
#include "collect/replaced_function.h"
#include "cpython/python_text.h"
#include "cpython/python_types.h"

namespace pyrometer {
namespace {

LineRecording* recording = nullptr;
ReplacedFunction execute;

// The name of the module whose names these are.
std::string module_name(PyObject* names) {
  PyObject* name =
      PyDict_Check(names) != 0 ? PyDict_GetItemString(names, "__name__") : nullptr;  // borrowed
  return name == nullptr ? std::string() : text_of(name);
}

// The arguments (owned) with the measured code in place of the first, or nullptr.
PyObject* measured_arguments(PyObject* arguments) {
  const Py_ssize_t count = PyTuple_Size(arguments);
  if (count < 2 || !is_code_object(PyTuple_GetItem(arguments, 0))) return nullptr;
  const std::string name = module_name(PyTuple_GetItem(arguments, 1));
  if (name.empty()) return nullptr;
  Reference code = Reference::take(recording->measured_module(PyTuple_GetItem(arguments, 0), name));
  if (!code) return nullptr;
  PyObject* changed = PyTuple_New(count);
  if (changed == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  PyTuple_SetItem(changed, 0, code.release());
  for (Py_ssize_t i = 1; i < count; ++i) {
    PyTuple_SetItem(changed, i, Reference::share(PyTuple_GetItem(arguments, i)).release());
  }
  return changed;
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

}  // namespace pyrometer
