// Splits Python source into the few kinds of tokens that tell where statements and blocks end, by
// the rules of Python's tokenize module: strings of all prefixes with nested fields, brackets,
// continued lines, indentation. Takes any text; where Python would refuse it, tokens just end.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace pyrometer {

enum class PythonTokenKind : std::uint8_t {
  kIndent,
  kDedent,
  kNewline,    // the end of a statement
  kBlankLine,  // the end of a line that ends none
  kComment,
  kName,
  kNumber,
  kString,
  kOperator,
};

struct PythonToken {
  PythonTokenKind kind;
  std::size_t row = 0;      // where it begins, from 0
  std::size_t column = 0;   // in bytes
  std::size_t end_row = 0;  // behind its last byte
  std::size_t end_column = 0;
  std::string_view text;  // of a name or an operator
};

// Calls visit(token) until it returns false. `lines` have no line breaks at their ends; the views
// in the tokens are of them.
void tokenize_python(std::span<const std::string> lines,
                     const std::function<bool(const PythonToken&)>& visit);

}  // namespace pyrometer
