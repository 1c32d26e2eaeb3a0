#include "collect/loaded_code.h"

#include "collect/python_modules.h"
#include "cpython/python_types.h"

namespace pyrometer {

void visit_functions(const std::function<void(PyObject* function, PyObject* code)>& visitor) {
  const Reference gc = Reference::take(PyImport_ImportModule("gc"));
  const Reference all =
      Reference::take(gc ? PyObject_CallMethod(gc.get(), "get_objects", nullptr) : nullptr);
  for (Py_ssize_t i = 0; all && i < PyList_Size(all.get()); ++i) {
    PyObject* object = PyList_GetItem(all.get(), i);  // borrowed
    if (!is_python_function(object)) continue;
    const Reference code = Reference::take(PyObject_GetAttrString(object, "__code__"));
    if (code) visitor(object, code.get());
    PyErr_Clear();
  }
  PyErr_Clear();
}

void visit_running_codes(
    const std::function<void(PyObject* code, const std::string& module)>& visitor) {
  PyObject* current = PySys_GetObject("_current_frames");  // borrowed
  const Reference frames = Reference::take(current ? PyObject_CallNoArgs(current) : nullptr);
  const Reference each = Reference::take(frames ? PyDict_Values(frames.get()) : nullptr);
  for (Py_ssize_t i = 0; each && i < PyList_Size(each.get()); ++i) {
    Reference frame = Reference::share(PyList_GetItem(each.get(), i));
    while (frame && frame.get() != Py_None) {
      const Reference code = Reference::take(PyObject_GetAttrString(frame.get(), "f_code"));
      const Reference names = Reference::take(PyObject_GetAttrString(frame.get(), "f_globals"));
      if (code && names) visitor(code.get(), module_name(names.get()));
      frame = Reference::take(PyObject_GetAttrString(frame.get(), "f_back"));
    }
  }
  PyErr_Clear();
}

}  // namespace pyrometer
