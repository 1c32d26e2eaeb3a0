#include "lines/measured_function.h"

#include <algorithm>

#include "cpython/line_table.h"
#include "cpython/python_text.h"

namespace pyrometer {

MeasuredLine* MeasuredFunction::line(std::uint32_t number) {
  const auto known = std::find_if(lines.begin(), lines.end(),
                                  [&](const MeasuredLine& each) { return each.line == number; });
  if (known != lines.end()) return &*known;
  MeasuredLine& added = lines.emplace_back();
  added.function = this;
  added.line = number;
  return &added;
}

MeasuredFunction* MeasuredFunction::make(PyObject* code) {
  auto* function = new MeasuredFunction;
  function->users = 1;
  function->original = Reference::share(code);
  function->name = text_attribute(code, "co_name");
  function->qualified_name = text_attribute(code, "co_qualname");
  function->file = text_attribute(code, "co_filename");
  const Reference line = Reference::take(PyObject_GetAttrString(code, "co_firstlineno"));
  const long first_line = line ? PyLong_AsLong(line.get()) : 0;
  PyErr_Clear();
  function->first_line = first_line > 0 ? static_cast<std::uint32_t>(first_line) : 0;
  function->prologue.function = function;
  // All that can ever run, so that nobody adds one while another thread reads.
  const Reference table = Reference::take(PyObject_GetAttrString(code, "co_linetable"));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (table && PyBytes_AsStringAndSize(table.get(), &data, &size) == 0) {
    const std::string_view bytes(data, static_cast<std::size_t>(size));
    for (const SourceRange& range : decode_line_table(bytes, function->first_line)) {
      if (range.line != 0) function->line(range.line);
    }
  }
  PyErr_Clear();
  return function;
}

}  // namespace pyrometer
