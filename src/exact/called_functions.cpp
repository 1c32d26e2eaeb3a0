#include "exact/called_functions.h"

#include <dlfcn.h>

#include "cpython/line_table.h"
#include "cpython/python_text.h"
#include "exact/c_functions.h"

namespace pyrometer {
namespace {

std::uint32_t first_column_of_code(PyObject* code, std::uint32_t first_line) {
  const Reference table = Reference::take(PyObject_GetAttrString(code, "co_linetable"));
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  const bool has_table = table && PyBytes_AsStringAndSize(table.get(), &bytes, &size) == 0;
  PyErr_Clear();
  if (!has_table) return 0;
  const std::string_view encoded(bytes, static_cast<std::size_t>(size));
  return first_column_of(decode_line_table(encoded, first_line), first_line);
}

// Found in the type or its bases, without a look at the object itself.
Reference find_in_type(PyObject* object, PyObject* name) {
  using Lookup = PyObject* (*)(PyTypeObject*, PyObject*);
  static const auto lookup = reinterpret_cast<Lookup>(dlsym(RTLD_DEFAULT, "_PyType_Lookup"));
  if (lookup == nullptr) return {};
  PyObject* found = lookup(Py_TYPE(object), name);
  return found == nullptr ? Reference() : Reference::share(found);
}

// "<built-in method builtins.len>", "<method 'append' of 'list' objects>": what cProfile calls
// them, so that files and habits stay.
Reference c_function_label(PyObject* callable, PyObject* self) {
  const CFunctionView view = view_c_function(callable, self);
  if (view.self == nullptr) {
    std::string module = text_of(view.module);
    if (module.empty() && view.module != nullptr) module = text_attribute(view.module, "__name__");
    if (module.empty() || module == "builtins") {
      return Reference::take(PyUnicode_FromFormat("<%s>", view.name));
    }
    return Reference::take(PyUnicode_FromFormat("<%s.%s>", module.c_str(), view.name));
  }
  const Reference name = Reference::take(PyUnicode_FromString(view.name));
  if (name) {
    const Reference method = find_in_type(view.self, name.get());
    Reference description = method ? Reference::take(PyObject_Repr(method.get())) : Reference();
    if (description) return description;
  }
  PyErr_Clear();
  if (view.module != nullptr && PyUnicode_Check(view.module) != 0) {
    return Reference::take(PyUnicode_FromFormat("<built-in method %U.%s>", view.module, view.name));
  }
  return Reference::take(PyUnicode_FromFormat("<built-in method %s>", view.name));
}

Reference object_label(PyObject* callable) {
  if (PyType_Check(callable) != 0) return Reference::take(PyObject_Repr(callable));
  const std::string name = text_attribute(callable, "__name__");
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(callable));
  const std::string type_name = text_attribute(type, "__name__");
  const std::string module = text_attribute(type, "__module__");
  if (name.empty()) {
    return Reference::take(
        PyUnicode_FromFormat("<%s.%s object>", module.c_str(), type_name.c_str()));
  }
  return Reference::take(
      PyUnicode_FromFormat("<%s.%s %s>", module.c_str(), type_name.c_str(), name.c_str()));
}

}  // namespace

std::uint32_t CalledFunctions::add(CallPath::Key key, PyObject* label, CalledFunction function) {
  const std::lock_guard lock(mutex_);
  const auto number = static_cast<std::uint32_t>(functions_.size());
  functions_.push_back(std::move(function));
  labels_.push_back(label);
  numbers_[key] = number;
  return number;
}

std::uint32_t CalledFunctions::of_code(PyObject* code) {
  const auto known = numbers_.find(code);
  if (known != numbers_.end()) return known->second;
  const KeptError kept;
  CalledFunction function{.is_python = true,
                          .name = text_attribute(code, "co_name"),
                          .qualified_name = text_attribute(code, "co_qualname"),
                          .file = text_attribute(code, "co_filename")};
  const Reference line = Reference::take(PyObject_GetAttrString(code, "co_firstlineno"));
  const long first = line ? PyLong_AsLong(line.get()) : 0;
  PyErr_Clear();
  function.first_line = first > 0 ? static_cast<std::uint32_t>(first) : 0;
  function.first_column = first_column_of_code(code, function.first_line);
  return add(code, Reference::share(code).release(), std::move(function));
}

std::uint32_t CalledFunctions::of_c_function(CallPath::Key key, PyObject* callable,
                                             PyObject* self) {
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return known->second;
  const KeptError kept;
  Reference label = c_function_label(callable, self);
  PyErr_Clear();
  if (!label) label = Reference::take(PyUnicode_FromString("<built-in function>"));
  std::string name = text_of(label.get());
  return add(key, label.release(), {.name = std::move(name)});
}

std::uint32_t CalledFunctions::of_object(CallPath::Key key, PyObject* callable) {
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return known->second;
  const KeptError kept;
  Reference label = object_label(callable);
  PyErr_Clear();
  if (!label) label = Reference::take(PyUnicode_FromString("<callable>"));
  const bool is_itself = key == callable;
  PyObject* kept_object = is_itself ? callable : reinterpret_cast<PyObject*>(Py_TYPE(callable));
  kept_.push_back(Reference::share(kept_object).release());
  std::string name = text_of(label.get());
  return add(key, label.release(), {.name = std::move(name)});
}

std::uint32_t CalledFunctions::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(functions_.size());
}

CalledFunction CalledFunctions::describe(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return functions_[number];
}

bool CalledFunctions::is_python(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return functions_[number].is_python;
}

void CalledFunctions::clear() {
  for (auto* owned : {&labels_, &kept_}) {
    for (PyObject* object : *owned) Py_DecRef(object);
    owned->clear();
  }
  numbers_.clear();
  const std::lock_guard lock(mutex_);
  functions_.clear();
}

}  // namespace pyrometer
