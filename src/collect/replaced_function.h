// A function of a Python module with ours in front of it.
//
// Until 3.13, Python ends a daemon thread by unwinding its stack from inside a call, when the
// interpreter is gone already. Nothing that has a destructor may be alive around a call that
// runs the program's code: it would run then.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

using FunctionWithKeywords = PyObject* (*)(PyObject* module, PyObject* arguments,
                                           PyObject* keywords);

// For a function of ours that takes whatever the original takes.
inline PyMethodDef method_definition(const char* name, FunctionWithKeywords function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_VARARGS | METH_KEYWORDS, nullptr};
}

struct ReplacedFunction {
  PyObject* original = nullptr;  // kept for good
  PyObject* ours = nullptr;      // likewise

  // Puts `definition` in the place of the module's function of the same name; also in
  // `other_module` where that one already took the original over. The definition must stay.
  void install(const char* module, PyMethodDef& definition, const char* other_module = nullptr,
               const char* other_name = nullptr);

  // Puts the original back, wherever ours still is. Who took ours over meanwhile can call it on.
  void uninstall(const char* module, const char* name, const char* other_module = nullptr,
                 const char* other_name = nullptr) const;

  PyObject* call(PyObject* arguments, PyObject* keywords) const {
    return PyObject_Call(original, arguments, keywords);
  }
  // The same with arguments of our own making, which are released afterwards.
  PyObject* call_and_release(PyObject* owned_arguments, PyObject* keywords) const;
};

}  // namespace pyrometer
