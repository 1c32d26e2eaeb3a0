#include "collect/replaced_function.h"

#include <cstring>

namespace pyrometer {
namespace {

// A module that is there already; nothing is imported on the program's behalf.
Reference loaded_module(const char* name) {
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  PyObject* module = PyDict_GetItemString(modules, name);
  return module == nullptr ? Reference() : Reference::share(module);
}

}  // namespace

void ReplacedFunction::install(const char* module_name, PyMethodDef& definition,
                               const char* other_module, const char* other_name) {
  const Reference module = Reference::take(PyImport_ImportModule(module_name));
  Reference found = module
                        ? Reference::take(PyObject_GetAttrString(module.get(), definition.ml_name))
                        : Reference();
  const Reference name = Reference::take(PyUnicode_FromString(module_name));
  if (found && name) {
    // As the module itself would have made it: bound to the module, of the same documentation.
    const Reference document = Reference::take(PyObject_GetAttrString(found.get(), "__doc__"));
    if (document && PyUnicode_Check(document.get()) != 0 && definition.ml_doc == nullptr) {
      const char* text = PyUnicode_AsUTF8AndSize(document.get(), nullptr);
      if (text != nullptr) definition.ml_doc = strdup(text);
    }
    const Reference ours =
        Reference::take(PyCFunction_NewEx(&definition, module.get(), name.get()));
    if (ours && PyObject_SetAttrString(module.get(), definition.ml_name, ours.get()) == 0) {
      original = found.release();
      const Reference other = other_module == nullptr ? Reference() : loaded_module(other_module);
      if (other && PyObject_HasAttrString(other.get(), other_name) != 0) {
        PyObject_SetAttrString(other.get(), other_name, ours.get());
      }
    }
  }
  PyErr_Clear();
}

PyObject* ReplacedFunction::call_and_release(PyObject* owned_arguments, PyObject* keywords) const {
  PyObject* result = PyObject_Call(original, owned_arguments, keywords);
  Py_DecRef(owned_arguments);
  return result;
}

}  // namespace pyrometer
