#include "collect/replaced_function.h"

#include <cstring>
#include <string>

#include "cpython/python_text.h"

namespace pyrometer {
namespace {

// A module that is there already; nothing is imported on the program's behalf.
Reference loaded_module(const char* name) {
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  PyObject* module = PyDict_GetItemString(modules, name);
  return module == nullptr ? Reference() : Reference::share(module);
}

// What Python takes apart again into the function's signature and documentation.
std::string document_of(PyObject* function) {
  const std::string signature = text_attribute(function, "__text_signature__");
  std::string document = text_attribute(function, "__doc__");
  if (signature.empty()) return document;
  return text_attribute(function, "__name__") + signature + "\n--\n\n" + document;
}

}  // namespace

void ReplacedFunction::install(const char* module_name, PyMethodDef& definition,
                               const char* other_module, const char* other_name) {
  const Reference module = Reference::take(PyImport_ImportModule(module_name));
  Reference found = module
                        ? Reference::take(PyObject_GetAttrString(module.get(), definition.ml_name))
                        : Reference();
  const Reference name = Reference::take(PyUnicode_FromString(module_name));
  if (found && found.get() == ours) return;  // somebody put it back
  if (found && name) {
    // As the module itself would have made it: bound to the module, of the same documentation.
    if (definition.ml_doc == nullptr) definition.ml_doc = strdup(document_of(found.get()).c_str());
    if (ours == nullptr) ours = PyCFunction_NewEx(&definition, module.get(), name.get());
    if (ours != nullptr && PyObject_SetAttrString(module.get(), definition.ml_name, ours) == 0) {
      if (found.get() != original) original = found.release();
      const Reference other = other_module == nullptr ? Reference() : loaded_module(other_module);
      if (other && PyObject_HasAttrString(other.get(), other_name) != 0) {
        PyObject_SetAttrString(other.get(), other_name, ours);
      }
    }
  }
  PyErr_Clear();
}

void ReplacedFunction::uninstall(const char* module_name, const char* name,
                                 const char* other_module, const char* other_name) const {
  if (original == nullptr) return;
  const auto put_back = [this](const char* in, const char* as) {
    const Reference module = in == nullptr ? Reference() : loaded_module(in);
    const Reference found =
        Reference::take(module ? PyObject_GetAttrString(module.get(), as) : nullptr);
    if (found && found.get() == ours) PyObject_SetAttrString(module.get(), as, original);
    PyErr_Clear();
  };
  put_back(module_name, name);
  put_back(other_module, other_name);
}

PyObject* ReplacedFunction::call_and_release(PyObject* owned_arguments, PyObject* keywords) const {
  PyObject* result = PyObject_Call(original, owned_arguments, keywords);
  Py_DecRef(owned_arguments);
  return result;
}

}  // namespace pyrometer
