#include "report/paint_python.h"

#include <algorithm>
#include <map>

#include "base/printable.h"
#include "report/python_tokens.h"

namespace pyrometer {
namespace {

// Of rich's theme for Python, in the 16 colours that every terminal has. Plain text is left as
// it is, where rich makes it white: that suits dark terminals only.
constexpr std::string_view kKeyword = "96";
constexpr std::string_view kOperatorColor = "91";
constexpr std::string_view kText = "93";
constexpr std::string_view kNumberOrComment = "37";
constexpr std::string_view kKnownName = "92";
constexpr std::string_view kFigure = "1;36";

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::string_view kKeywords[] = {
    "False",  "None",    "True",     "as",     "assert", "async",  "await",
    "break",  "class",   "continue", "def",    "del",    "elif",   "else",
    "except", "finally", "for",      "global", "if",     "lambda", "nonlocal",
    "pass",   "raise",   "return",   "try",    "while",  "with",   "yield"};
constexpr std::string_view kWordOperators[] = {"and", "from", "import", "in", "is", "not", "or"};
constexpr std::string_view kBuiltins[] = {
    "abs",   "all",      "any",     "bool", "bytes",      "dict",    "enumerate", "filter",
    "float", "getattr",  "hasattr", "int",  "isinstance", "iter",    "len",       "list",
    "map",   "max",      "min",     "next", "object",     "open",    "print",     "range",
    "repr",  "reversed", "round",   "self", "set",        "setattr", "sorted",    "str",
    "sum",   "super",    "tuple",   "type", "zip"};

std::string painted(std::string_view color, std::string_view text) {
  std::string whole = "\x1b[";
  whole.append(color).append("m").append(text).append("\x1b[0m");
  return whole;
}

std::string_view color_of(const PythonToken& token, std::string_view previous) {
  using enum PythonTokenKind;
  switch (token.kind) {
    case kComment:
    case kNumber: return kNumberOrComment;
    case kString: return kText;
    case kOperator:
      return std::string_view("()[]{},:;").find(token.text) == std::string_view::npos
                 ? kOperatorColor
                 : std::string_view();
    case kName:
      if (is_one_of(kKeywords, token.text)) return kKeyword;
      if (is_one_of(kWordOperators, token.text)) return kOperatorColor;
      if (previous == "def" || previous == "class" || previous == "@") return kKnownName;
      return previous != "." && is_one_of(kBuiltins, token.text) ? kKnownName : std::string_view();
    default: return {};
  }
}

struct Span {
  std::size_t end = 0;
  std::string_view color;
};

}  // namespace

std::string printable_source(std::string_view text) {
  std::string shown;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\t', begin), text.size());
    shown += printable(text.substr(begin, end - begin));
    if (end < text.size()) shown += '\t';
    begin = end + 1;
  }
  return shown;
}

std::vector<std::string> paint_python(std::span<const std::string> lines) {
  std::vector<std::map<std::size_t, Span>> spans(lines.size());  // by where they begin
  std::string_view previous;
  tokenize_python(lines, [&](const PythonToken& token) {
    const std::string_view color = color_of(token, previous);
    previous = token.text;
    if (color.empty()) return true;
    for (std::size_t row = token.row; row <= token.end_row && row < lines.size(); ++row) {
      const std::size_t begin = row == token.row ? token.column : 0;
      const std::size_t end = row == token.end_row ? token.end_column : lines[row].size();
      if (begin < end) spans[row][begin] = {end, color};
    }
    return true;
  });
  std::vector<std::string> shown;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const std::string_view line = lines[row];
    std::string& text = shown.emplace_back();
    std::size_t done = 0;
    for (const auto& [begin, span] : spans[row]) {
      text += printable_source(line.substr(done, begin - done));
      text += painted(span.color, printable_source(line.substr(begin, span.end - begin)));
      done = span.end;
    }
    text += printable_source(line.substr(done));
  }
  return shown;
}

std::string paint_numbers(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789.e+-";
  std::string shown;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_of(kDigits), text.size());
    shown += text.substr(0, blanks);
    text.remove_prefix(blanks);
    const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
    if (digits != 0) shown += painted(kFigure, text.substr(0, digits));
    text.remove_prefix(digits);
  }
  return shown;
}

}  // namespace pyrometer
