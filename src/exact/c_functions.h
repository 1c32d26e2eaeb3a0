// What the interpreter's built-in functions and methods are made of, beside the limited API:
// two structures whose layout is the same in every supported version (checked at run time
// before anybody relies on it).
#pragma once

#include "cpython/python_api.h"
#include "exact/call_path.h"

namespace pyrometer {

// The types of callables, found once.
struct CallableTypes {
  PyTypeObject* function = nullptr;
  PyTypeObject* c_function = nullptr;
  PyTypeObject* c_method = nullptr;
  PyTypeObject* method_descriptor = nullptr;

  // False when this interpreter's built-in functions are not laid out as we know them.
  bool find();
};
extern CallableTypes callable_types;

struct CFunctionObject {
  PyObject_HEAD PyMethodDef* definition;
  PyObject* self;
  PyObject* module;
};

struct MethodDescriptorObject {
  PyObject_HEAD PyTypeObject* type;
  PyObject* name;
  PyObject* qualified_name;
  PyMethodDef* definition;
};

// The definition that stands for a built-in function or method; nullptr: `callable` is none, or
// it is a method that was given nothing of its type to work on (`self` nullptr).
inline CallPath::Key c_function_key(PyObject* callable, PyObject* self) {
  const PyTypeObject* type = Py_TYPE(callable);
  const auto definition = [&] { return reinterpret_cast<CFunctionObject*>(callable)->definition; };
  if (type == callable_types.c_function || type == callable_types.c_method) return definition();
  if (type == callable_types.function) return nullptr;
  if (type == callable_types.method_descriptor) {
    const auto* descriptor = reinterpret_cast<MethodDescriptorObject*>(callable);
    const bool fits = self != nullptr && (Py_TYPE(self) == descriptor->type ||
                                          PyType_IsSubtype(Py_TYPE(self), descriptor->type) != 0);
    return fits ? descriptor->definition : nullptr;
  }
  const bool is_subtype = PyType_IsSubtype(Py_TYPE(callable), callable_types.c_function) != 0;
  return is_subtype ? definition() : nullptr;
}

struct CFunctionView {
  const char* name = "";
  PyObject* self = nullptr;
  PyObject* module = nullptr;
};
CFunctionView view_c_function(PyObject* callable, PyObject* self);

}  // namespace pyrometer
