// Methods that an object keeps bound. `with` looks its two up on the type each time, which before
// 3.14 makes two objects: half of what an empty region costs.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

// Replaces the method of a type by one that objects keep at `offset`,
// as bind_kept_method() makes it; where that is nullptr it is bound anew. False leaves a Python
// error.
bool let_method_be_kept(PyTypeObject* type, PyMethodDef& method, Py_ssize_t offset);

// A new reference: the method, bound to the object for good.
PyObject* bind_kept_method(PyMethodDef& method, PyObject* object);

}  // namespace pyrometer
