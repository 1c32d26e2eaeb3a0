#include "exact/c_functions.h"

#include <dlfcn.h>

#include <string_view>

namespace pyrometer {

CallableTypes callable_types;

bool CallableTypes::find() {
  const auto type_named = [](const char* name) {
    return static_cast<PyTypeObject*>(dlsym(RTLD_DEFAULT, name));
  };
  function = type_named("PyFunction_Type");
  c_function = type_named("PyCFunction_Type");
  c_method = type_named("PyCMethod_Type");
  method_descriptor = type_named("PyMethodDescr_Type");
  if (function == nullptr || c_function == nullptr || method_descriptor == nullptr) return false;

  // Two that every interpreter has must look as we expect.
  const Reference builtins = Reference::take(PyImport_ImportModule("builtins"));
  const Reference length =
      Reference::take(builtins ? PyObject_GetAttrString(builtins.get(), "len") : nullptr);
  const Reference append =
      Reference::take(PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyList_Type), "append"));
  PyErr_Clear();
  if (!length || !append || Py_TYPE(length.get()) != c_function ||
      Py_TYPE(append.get()) != method_descriptor) {
    return false;
  }
  const auto* function_view = reinterpret_cast<CFunctionObject*>(length.get());
  const auto* method_view = reinterpret_cast<MethodDescriptorObject*>(append.get());
  return function_view->self == builtins.get() && method_view->type == &PyList_Type &&
         std::string_view(function_view->definition->ml_name) == "len" &&
         std::string_view(method_view->definition->ml_name) == "append";
}

CFunctionView view_c_function(PyObject* callable, PyObject* self) {
  if (Py_TYPE(callable) == callable_types.method_descriptor) {
    const auto* descriptor = reinterpret_cast<MethodDescriptorObject*>(callable);
    return {.name = descriptor->definition->ml_name, .self = self};
  }
  const auto* function = reinterpret_cast<CFunctionObject*>(callable);
  return {
      .name = function->definition->ml_name, .self = function->self, .module = function->module};
}

}  // namespace pyrometer
