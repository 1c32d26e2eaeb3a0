#include "collect/python_modules.h"

#include "cpython/python_text.h"

namespace pyrometer {

std::string module_name(PyObject* names) {
  PyObject* name =
      PyDict_Check(names) != 0 ? PyDict_GetItemString(names, "__name__") : nullptr;  // borrowed
  return name == nullptr ? std::string() : text_of(name);
}

PyObject* arguments_with_code(PyObject* arguments, Reference code) {
  const Py_ssize_t count = PyTuple_Size(arguments);
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

PyObject* run_own_file(const Path& file, const char* name) {
  constexpr std::uint64_t kMost = 1U << 20U;
  const auto text = read_file(file, kMost);
  const Reference code = Reference::take(
      text ? Py_CompileString(text->c_str(), file.c_str(), Py_file_input) : nullptr);
  PyObject* names = code ? PyDict_New() : nullptr;
  if (names != nullptr) {
    PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins());
    const Reference own_name = Reference::take(PyUnicode_FromString(name));
    PyDict_SetItemString(names, "__name__", own_name.get());
    const Reference run = Reference::take(PyEval_EvalCode(code.get(), names, names));
  }
  PyErr_Clear();
  return names;
}

}  // namespace pyrometer
