#include "lines/measured_function.h"

#include <algorithm>
#include <set>

#include "cpython/line_table.h"
#include "cpython/python_text.h"

namespace pyrometer {

MeasuredLine* MeasuredFunction::line(std::uint32_t number) {
  std::deque<MeasuredLine>& rows = table == nullptr ? lines : table->lines;
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), number,
      [](const MeasuredLine& each, std::uint32_t wanted) { return each.line < wanted; });
  return found != rows.end() && found->line == number ? &*found : &prologue;
}

void MeasuredFunction::clear() {
  for (MeasuredLine& line : lines) line.clear();
  prologue.clear();
  level_at_first_call.clear();
}

namespace {

std::vector<SourceRange> places_of(PyObject* code) {
  const long first_line = number_attribute(code, "co_firstlineno");
  return decode_line_table(bytes_attribute(code, "co_linetable"),
                           first_line > 0 ? static_cast<std::uint32_t>(first_line) : 0);
}

// All but the rows.
MeasuredFunction* make_without_rows(PyObject* code, bool with_memory) {
  auto* function = new MeasuredFunction;
  function->users = 1;
  function->original = Reference::share(code);
  function->name = text_attribute(code, "co_name");
  function->qualified_name = text_attribute(code, "co_qualname");
  function->file = text_attribute(code, "co_filename");
  const long first_line = number_attribute(code, "co_firstlineno");
  function->first_line = first_line > 0 ? static_cast<std::uint32_t>(first_line) : 0;
  function->prologue.function = function;
  function->first_column = first_column_of(places_of(code), function->first_line);
  if (with_memory) function->prologue.memory = std::make_unique<LineMemory>();
  return function;
}

}  // namespace

MeasuredFunction* MeasuredFunction::make(PyObject* code, bool with_memory,
                                         const std::vector<PyObject*>& inner) {
  MeasuredFunction* function = make_without_rows(code, with_memory);
  std::set<std::uint32_t> numbers;
  const auto add_lines_of = [&](PyObject* each) {
    for (const SourceRange& place : places_of(each)) numbers.insert(place.line);
  };
  add_lines_of(code);
  for (PyObject* each : inner) add_lines_of(each);
  numbers.erase(0);
  for (const std::uint32_t number : numbers) {
    MeasuredLine& line = function->lines.emplace_back();
    line.function = function;
    line.line = number;
    if (with_memory) line.memory = std::make_unique<LineMemory>();
  }
  return function;
}

MeasuredFunction* MeasuredFunction::make_inner(PyObject* code, bool with_memory,
                                               MeasuredFunction& table) {
  MeasuredFunction* function = make_without_rows(code, with_memory);
  function->table = &table;
  table.keep();
  return function;
}

}  // namespace pyrometer
