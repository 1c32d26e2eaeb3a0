// CPython's limited API of 3.11, so that one binary serves 3.11 and everything after it.
//
// The inline reference counting of the 3.11 headers writes to every object; from 3.12 on some
// are immortal and lie in read-only memory. Only the functions may count: Reference does.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): names that Python.h looks for.
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
// NOLINTEND(readability-identifier-naming)
#include <Python.h>
#include <structmember.h>

#include <utility>

#undef Py_INCREF
#undef Py_DECREF
#undef Py_XINCREF
#undef Py_XDECREF
#undef Py_CLEAR
#undef Py_RETURN_NONE

namespace pyrometer {

// Owns one reference. The GIL must be held wherever one is made, copied or dropped.
class Reference {
 public:
  Reference() = default;
  static Reference take(PyObject* owned) { return Reference(owned); }
  static Reference share(PyObject* borrowed) {
    Py_IncRef(borrowed);
    return Reference(borrowed);
  }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { Py_DecRef(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Reference(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

// Puts back the exception that is set now, whatever happens meanwhile: it is the program's.
class KeptError {
 public:
  KeptError() { PyErr_Fetch(&type_, &value_, &traceback_); }
  KeptError(const KeptError&) = delete;
  KeptError& operator=(const KeptError&) = delete;
  ~KeptError() { PyErr_Restore(type_, value_, traceback_); }

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *traceback_ = nullptr;
};

inline PyObject* new_none() {
  Py_IncRef(Py_None);
  return Py_None;
}

}  // namespace pyrometer
