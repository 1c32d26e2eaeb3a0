#include "cpython/python_text.h"

namespace pyrometer {

std::string text_of(PyObject* text) {
  if (text == nullptr || PyUnicode_Check(text) == 0) return {};
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  const Reference encoded =
      Reference::take(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  char* begin = nullptr;
  if (!encoded || PyBytes_AsStringAndSize(encoded.get(), &begin, &size) != 0) {
    PyErr_Clear();
    return {};
  }
  return {begin, static_cast<std::size_t>(size)};
}

std::string text_attribute(PyObject* object, const char* name) {
  const Reference value = Reference::take(PyObject_GetAttrString(object, name));
  PyErr_Clear();
  return text_of(value.get());
}

}  // namespace pyrometer
