#include "cpython/python_types.h"

namespace pyrometer {
namespace {

// Of something that Python makes for us; kept for good.
PyObject* type_of_code() {
  const Reference code = Reference::take(Py_CompileString("0", "", Py_file_input));
  PyObject* type = code ? PyObject_Type(code.get()) : nullptr;
  PyErr_Clear();
  return type;
}

PyObject* type_of_function() {
  const Reference code = Reference::take(Py_CompileString("lambda: 0", "", Py_eval_input));
  const Reference names = Reference::take(PyDict_New());
  const Reference function = Reference::take(
      code && names ? PyEval_EvalCode(code.get(), names.get(), names.get()) : nullptr);
  PyObject* type = function ? PyObject_Type(function.get()) : nullptr;
  PyErr_Clear();
  return type;
}

}  // namespace

bool is_code_object(PyObject* object) {
  static PyObject* type = type_of_code();
  return reinterpret_cast<PyObject*>(Py_TYPE(object)) == type;
}

bool is_python_function(PyObject* object) {
  static PyObject* type = type_of_function();
  return reinterpret_cast<PyObject*>(Py_TYPE(object)) == type;
}

}  // namespace pyrometer
