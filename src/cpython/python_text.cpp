#include "cpython/python_text.h"

namespace pyrometer {
namespace {

std::string bytes_of(PyObject* bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (bytes == nullptr || PyBytes_AsStringAndSize(bytes, &data, &size) != 0) {
    PyErr_Clear();
    return {};
  }
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

std::string text_of(PyObject* text) {
  if (text == nullptr || PyUnicode_Check(text) == 0) return {};
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  const Reference encoded =
      Reference::take(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  return bytes_of(encoded.get());
}

std::string text_attribute(PyObject* object, const char* name) {
  const Reference value = Reference::take(PyObject_GetAttrString(object, name));
  PyErr_Clear();
  return text_of(value.get());
}

std::string bytes_attribute(PyObject* object, const char* name) {
  const Reference value = Reference::take(PyObject_GetAttrString(object, name));
  return bytes_of(value.get());
}

long number_attribute(PyObject* object, const char* name) {
  const Reference value = Reference::take(PyObject_GetAttrString(object, name));
  const long number = value ? PyLong_AsLong(value.get()) : -1;
  PyErr_Clear();
  return number;
}

}  // namespace pyrometer
