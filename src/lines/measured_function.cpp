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
  const long first_line = number_attribute(code, "co_firstlineno");
  function->first_line = first_line > 0 ? static_cast<std::uint32_t>(first_line) : 0;
  function->prologue.function = function;
  // All that can ever run, so that nobody adds one while another thread reads.
  for (const SourceRange& range :
       decode_line_table(bytes_attribute(code, "co_linetable"), function->first_line)) {
    if (range.line != 0) function->line(range.line);
  }
  return function;
}

}  // namespace pyrometer
