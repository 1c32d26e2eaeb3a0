#include "report/code_blocks.h"

#include <algorithm>
#include <optional>

#include "report/python_tokens.h"

namespace pyrometer {
namespace {

// inspect.BlockFinder, with line_profiler's additions for Cython.
class BlockFinder {
 public:
  std::size_t last() const { return last_; }

  // False when the block has ended.
  bool take(const PythonToken& token) {
    using enum PythonTokenKind;
    if (!started_ && !in_decorator_) {
      if (token.text == "@") in_decorator_ = true;
      if (token.kind == kName) start(token.text);
      pass_line_ = true;
    } else if (token.kind == kNewline) {
      pass_line_ = false;
      last_ = token.row + 1;
      if (is_lambda_) return false;
      in_decorator_ = false;
    } else if (pass_line_) {
      return true;
    } else if (token.kind == kIndent) {
      if (!body_column_ && started_) body_column_ = token.end_column;
      ++indent_;
      pass_line_ = true;
    } else if (token.kind == kDedent) {
      if (--indent_ <= 0) return false;
    } else if (token.kind == kComment) {
      if (body_column_ && token.column >= *body_column_) last_ = token.row + 1;
    } else if (indent_ == 0 && token.kind != kBlankLine) {
      return false;
    }
    return true;
  }

 private:
  void start(std::string_view name) {
    constexpr std::string_view kStarts[] = {"def", "class", "lambda", "cdef", "cpdef", "property"};
    if (std::find(std::begin(kStarts), std::end(kStarts), name) == std::end(kStarts)) return;
    is_lambda_ = name == "lambda";
    started_ = true;
  }

  int indent_ = 0;
  bool is_lambda_ = false;
  bool started_ = false;
  bool pass_line_ = false;
  bool in_decorator_ = false;
  std::size_t last_ = 1;
  std::optional<std::size_t> body_column_;
};

}  // namespace

std::size_t block_size(std::span<const std::string> lines) {
  BlockFinder finder;
  tokenize_python(lines, [&](const PythonToken& token) { return finder.take(token); });
  return std::min(finder.last(), lines.size());
}

std::vector<std::size_t> statement_starts(std::span<const std::string> lines) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < lines.size(); ++i) starts.push_back(i);
  std::optional<std::size_t> first;
  tokenize_python(lines, [&](const PythonToken& token) {
    using enum PythonTokenKind;
    if (token.kind == kNewline) {
      const std::size_t begin = first.value_or(token.row);
      for (std::size_t i = begin; i <= token.row; ++i) starts[i] = begin;
      first.reset();
    } else if (token.kind == kName || token.kind == kNumber || token.kind == kString ||
               token.kind == kOperator) {
      first = first.value_or(token.row);
    }
    return true;
  });
  return starts;
}

}  // namespace pyrometer
