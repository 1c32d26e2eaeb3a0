#include "report/python_tokens.h"

#include <algorithm>
#include <vector>

namespace pyrometer {
namespace {

constexpr std::size_t kTabSize = 8;
constexpr std::size_t kDeepestFields = 100;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

bool is_string_prefix(std::string_view name) {
  return name.size() <= 3 && name.find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
}
bool has_fields(std::string_view prefix) {
  return prefix.find_first_of("fFtT") != std::string_view::npos;
}

class PythonTokenizer {
 public:
  using Visit = std::function<bool(const PythonToken&)>;

  PythonTokenizer(std::span<const std::string> lines, const Visit& visit)
      : lines_(lines), visit_(visit) {}

  void run() {
    while (row_ < lines_.size() && !stopped_) {
      if (depth_ == 0 && !continued_) {
        start_line();
      } else {
        continued_ = false;
        read_line();
      }
    }
    for (; indents_.size() > 1; indents_.pop_back()) add(PythonTokenKind::kDedent, row_, column_);
  }

 private:
  std::string_view line() const { return lines_[row_]; }
  bool at_end() const { return column_ >= line().size(); }
  char peek(std::size_t ahead = 0) const {
    return column_ + ahead < line().size() ? line()[column_ + ahead] : '\0';
  }
  void next_line() {
    ++row_;
    column_ = 0;
  }

  // A token from there to where we are.
  void add(PythonTokenKind kind, std::size_t row, std::size_t column) {
    const bool has_text = row == row_ && row < lines_.size();
    if (is_done_) return;
    const std::string_view text =
        has_text ? line().substr(column, column_ - column) : std::string_view();
    if (visit_({kind, row, column, row_, column_, text})) return;
    is_done_ = true;
    stopped_ = true;
  }

  void start_line() {
    std::size_t width = 0;
    for (; !at_end(); ++column_) {
      if (peek() == ' ') {
        ++width;
      } else if (peek() == '\t') {
        width = (width / kTabSize + 1) * kTabSize;
      } else if (peek() == '\f') {
        width = 0;
      } else {
        break;
      }
    }
    if (at_end() || peek() == '#') return end_blank_line();
    if (width > indents_.back()) {
      indents_.push_back(width);
      add(PythonTokenKind::kIndent, row_, 0);
    }
    while (width < indents_.back()) {
      indents_.pop_back();
      if (width > indents_.back()) {  // Python's IndentationError
        stopped_ = true;
        return;
      }
      add(PythonTokenKind::kDedent, row_, column_);
    }
    read_line();
  }

  void end_blank_line() {
    if (!at_end()) read_comment();
    add(PythonTokenKind::kBlankLine, row_, column_);
    next_line();
  }

  void read_comment() {
    const std::size_t begin = column_;
    column_ = line().size();
    add(PythonTokenKind::kComment, row_, begin);
  }

  // The rest of a line of code, and those into which its strings reach.
  void read_line() {
    while (!stopped_ && row_ < lines_.size()) {
      if (at_end()) {
        add(depth_ == 0 ? PythonTokenKind::kNewline : PythonTokenKind::kBlankLine, row_, column_);
        return next_line();
      }
      const char c = peek();
      if (c == '#') {
        read_comment();
      } else if (c == '\\' && column_ + 1 == line().size()) {
        continued_ = true;
        return next_line();
      } else if (c == ' ' || c == '\t' || c == '\f') {
        ++column_;
      } else {
        read_token();
      }
    }
  }

  void read_token() {
    const std::size_t row = row_;
    const std::size_t column = column_;
    const char c = peek();
    if (is_name_start(c)) {
      while (is_name_start(peek()) || is_digit(peek())) ++column_;
      const std::string_view name = line().substr(column, column_ - column);
      if (!is_quote(peek()) || !is_string_prefix(name))
        return add(PythonTokenKind::kName, row, column);
      read_string(name, 0);
      return add(PythonTokenKind::kString, row, column);
    }
    if (is_quote(c)) {
      read_string({}, 0);
      return add(PythonTokenKind::kString, row, column);
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      while (is_name_start(peek()) || is_digit(peek()) || peek() == '.') ++column_;
      return add(PythonTokenKind::kNumber, row, column);
    }
    if (std::string_view("([{").find(c) != std::string_view::npos) ++depth_;
    if (std::string_view(")]}").find(c) != std::string_view::npos && depth_ > 0) --depth_;
    ++column_;
    add(PythonTokenKind::kOperator, row, column);
  }

  // ---- strings; each ends behind its closing quotes, or at the end of the text

  bool at_quotes(char quote, bool is_triple) const {
    return peek() == quote && (!is_triple || (peek(1) == quote && peek(2) == quote));
  }

  void read_string(std::string_view prefix, std::size_t level) {
    const char quote = peek();
    const bool is_triple = peek(1) == quote && peek(2) == quote;
    column_ += is_triple ? 3 : 1;
    read_literal(quote, is_triple, has_fields(prefix), level, false);
    if (!stopped_) column_ += is_triple ? 3 : 1;
  }

  // To the closing quotes, or in a format specification to the brace that ends its field.
  void read_literal(char quote, bool is_triple, bool with_fields, std::size_t level,
                    bool in_field) {
    while (true) {
      if (at_end()) {
        // A string in single quotes does not go on, unless its line does.
        const bool goes_on = is_triple || was_escaped_;
        was_escaped_ = false;
        if (!goes_on || row_ + 1 == lines_.size()) {
          stopped_ = true;
          return;
        }
        next_line();
        continue;
      }
      was_escaped_ = false;
      if (at_quotes(quote, is_triple)) return;
      if (in_field && peek() == '}') return;
      if (peek() == '\\') {
        was_escaped_ = column_ + 1 == line().size();
        column_ = std::min(column_ + 2, line().size());
      } else if (with_fields && peek() == '{' && peek(1) == '{' && !in_field) {
        column_ += 2;
      } else if (with_fields && peek() == '{') {
        ++column_;
        read_field(quote, is_triple, level + 1);
        if (stopped_) return;
      } else {
        ++column_;
      }
    }
  }

  // Behind the brace of a field, to behind the one that ends it.
  void read_field(char quote, bool is_triple, std::size_t level) {
    if (level > kDeepestFields) stopped_ = true;
    std::size_t depth = 0;
    while (!stopped_) {
      if (at_end()) {
        if (row_ + 1 == lines_.size()) stopped_ = true;
        if (!stopped_) next_line();
        continue;
      }
      const char c = peek();
      if (depth == 0 && c == '}') {
        ++column_;
        return;
      }
      if (depth == 0 && c == ':') {
        ++column_;
        read_literal(quote, is_triple, true, level, true);
        if (!stopped_ && peek() == '}') ++column_;
        return;
      }
      if (std::string_view("([{").find(c) != std::string_view::npos) ++depth;
      if (std::string_view(")]}").find(c) != std::string_view::npos && depth > 0) --depth;
      if (is_name_start(c)) {
        const std::size_t begin = column_;
        while (is_name_start(peek()) || is_digit(peek())) ++column_;
        const std::string_view name = line().substr(begin, column_ - begin);
        if (is_quote(peek()) && is_string_prefix(name)) read_string(name, level);
      } else if (is_quote(c)) {
        read_string({}, level);
      } else if (c == '#') {
        column_ = line().size();
      } else {
        ++column_;
      }
    }
  }

  std::span<const std::string> lines_;
  const Visit& visit_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::size_t depth_ = 0;  // of brackets
  std::vector<std::size_t> indents_{0};
  bool continued_ = false;    // the line before ended in a backslash
  bool was_escaped_ = false;  // the end of a line, inside a string
  bool stopped_ = false;      // at something that is not Python, or because that was enough
  bool is_done_ = false;      // nobody wants more tokens
};

}  // namespace

void tokenize_python(std::span<const std::string> lines,
                     const std::function<bool(const PythonToken&)>& visit) {
  PythonTokenizer(lines, visit).run();
}

}  // namespace pyrometer
