#include "lines/code_constants.h"

namespace pyrometer {
namespace {

void add_codes_inside(PyObject* code, std::vector<PyObject*>& codes) {
  const Reference constants = Reference::take(PyObject_GetAttrString(code, "co_consts"));
  const Py_ssize_t count = constants ? PyTuple_Size(constants.get()) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* constant = PyTuple_GetItem(constants.get(), i);  // borrowed
    if (Py_TYPE(constant) != Py_TYPE(code)) continue;
    codes.push_back(constant);
    add_codes_inside(constant, codes);
  }
}

}  // namespace

std::vector<PyObject*> codes_inside(PyObject* code) {
  std::vector<PyObject*> codes;
  add_codes_inside(code, codes);
  return codes;
}

Reference with_changed_codes(PyObject* code, const std::function<Reference(PyObject*)>& change) {
  const Reference constants = Reference::take(PyObject_GetAttrString(code, "co_consts"));
  const Py_ssize_t count = constants ? PyTuple_Size(constants.get()) : 0;
  const Reference changed = Reference::take(PyTuple_New(count));
  if (!constants || !changed) {
    PyErr_Clear();
    return Reference::share(code);
  }
  bool has_changed = false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* constant = PyTuple_GetItem(constants.get(), i);  // borrowed
    Reference kept =
        Py_TYPE(constant) == Py_TYPE(code) ? change(constant) : Reference::share(constant);
    has_changed |= kept.get() != constant;
    PyTuple_SetItem(changed.get(), i, kept.release());
  }
  if (!has_changed) return Reference::share(code);
  const Reference replace = Reference::take(PyObject_GetAttrString(code, "replace"));
  const Reference nothing = Reference::take(PyTuple_New(0));
  const Reference changes = Reference::take(Py_BuildValue("{s:O}", "co_consts", changed.get()));
  Reference replaced = Reference::take(
      replace && nothing && changes ? PyObject_Call(replace.get(), nothing.get(), changes.get())
                                    : nullptr);
  if (replaced) return replaced;
  PyErr_Clear();
  return Reference::share(code);
}

}  // namespace pyrometer
