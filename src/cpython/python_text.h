// Text of Python objects, as UTF-8; bytes that a file name smuggled in stay what they were.
#pragma once

#include <string>

#include "cpython/python_api.h"

namespace pyrometer {

// Empty when it is no string. No Python error is left.
std::string text_of(PyObject* text);
// The same of an attribute, also when there is none.
std::string text_attribute(PyObject* object, const char* name);

// Bytes and numbers likewise; -1 where there is no number.
std::string bytes_attribute(PyObject* object, const char* name);
long number_attribute(PyObject* object, const char* name);

}  // namespace pyrometer
