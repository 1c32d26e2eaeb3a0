#include "lines/measured_function.h"

#include <algorithm>
#include <set>

#include "cpython/line_table.h"
#include "cpython/python_text.h"

namespace pyrometer {

MeasuredLine* MeasuredFunction::line(std::uint32_t number) {
  const auto found = std::lower_bound(
      lines.begin(), lines.end(), number,
      [](const MeasuredLine& each, std::uint32_t wanted) { return each.line < wanted; });
  return found != lines.end() && found->line == number ? &*found : &prologue;
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
  const auto places =
      decode_line_table(bytes_attribute(code, "co_linetable"), function->first_line);
  function->first_column = first_column_of(places, function->first_line);
  std::set<std::uint32_t> numbers;
  for (const SourceRange& place : places) numbers.insert(place.line);
  numbers.erase(0);
  for (const std::uint32_t number : numbers) {
    MeasuredLine& line = function->lines.emplace_back();
    line.function = function;
    line.line = number;
  }
  return function;
}

}  // namespace pyrometer
