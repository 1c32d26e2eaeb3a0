#include "report/loops.h"

#include <algorithm>

#include "report/python_tokens.h"

namespace pyrometer {
namespace {

using enum PythonTokenKind;

enum class SpanKind : std::uint8_t { kLoop, kComprehension, kFunctionBody };

struct LineSpan {
  SpanKind kind = SpanKind::kLoop;
  std::size_t first = 0;  // from 1
  std::size_t last = 0;
};

// Finds what the tokens say of loops and functions; heads wait for their indented block.
class SpanFinder {
 public:
  void take(const PythonToken& token) {
    switch (token.kind) {
      case kComment:
      case kBlankLine: return;
      case kIndent: return indent();
      case kDedent: return dedent();
      case kNewline: return end_statement();
      case kName: name(token); break;
      case kOperator: bracket(token); break;
      case kNumber:
      case kString: starts_statement_ = false; break;
    }
    last_row_ = token.end_row;
  }

  std::vector<LineSpan> finish() {
    while (!blocks_.empty()) dedent();
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kNone = Loop::kNone;
  struct Bracket {
    std::size_t row;
    bool has_loop;
  };

  void name(const PythonToken& token) {
    const bool is_for = token.text == "for";
    if (starts_statement_ && (is_for || token.text == "while")) {
      head_ = found_.size();
      found_.push_back({SpanKind::kLoop, token.row + 1, token.row + 1});
    } else if (starts_statement_ && token.text == "def") {
      head_ = found_.size();
      found_.push_back({SpanKind::kFunctionBody, token.row + 2, 0});
    } else if (is_for && !brackets_.empty()) {
      brackets_.back().has_loop = true;
    }
    starts_statement_ = starts_statement_ && token.text == "async";
  }

  void bracket(const PythonToken& token) {
    starts_statement_ = false;
    const std::string_view text = token.text;
    if (text == "(" || text == "[" || text == "{") {
      brackets_.push_back({token.row, false});
    } else if ((text == ")" || text == "]" || text == "}") && !brackets_.empty()) {
      const Bracket closed = brackets_.back();
      brackets_.pop_back();
      if (!closed.has_loop) return;
      found_.push_back({SpanKind::kComprehension, closed.row + 1, token.row + 1});
    }
  }

  void end_statement() {
    starts_statement_ = true;
    brackets_.clear();
    // All there is of a loop on one line; a block that follows makes it longer.
    if (head_ != kNone) found_[head_].last = last_row_ + 1;
    pending_ = head_;
    head_ = kNone;
  }

  void indent() {
    blocks_.push_back(pending_);
    pending_ = kNone;
  }

  void dedent() {
    if (blocks_.empty()) return;
    if (blocks_.back() != kNone) found_[blocks_.back()].last = last_row_ + 1;
    blocks_.pop_back();
  }

  std::vector<LineSpan> found_;
  std::vector<std::size_t> blocks_;  // by open indentation: whose body it is
  std::vector<Bracket> brackets_;
  std::size_t head_ = kNone;     // in the head of this loop or function
  std::size_t pending_ = kNone;  // whose head has just ended
  bool starts_statement_ = true;
  std::size_t last_row_ = 0;  // of the last token that is code
};

std::vector<LineSpan> find_spans(std::span<const std::string> lines) {
  SpanFinder finder;
  tokenize_python(lines, [&](const PythonToken& token) {
    finder.take(token);
    return true;
  });
  std::vector<LineSpan> spans = finder.finish();
  // Outer before inner: by first line, the longer one first, statements before comprehensions.
  std::sort(spans.begin(), spans.end(), [](const LineSpan& a, const LineSpan& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.last != b.last) return a.last > b.last;
    return a.kind < b.kind;
  });
  return spans;
}

}  // namespace

FileLoops find_loops(std::span<const std::string> lines) {
  FileLoops file;
  file.of_line.assign(lines.size() + 1, Loop::kNone);
  struct Open {
    std::size_t last;
    std::size_t loop;  // kNone: the body of a function
  };
  std::vector<Open> open;
  const std::vector<LineSpan> spans = find_spans(lines);
  auto next = spans.begin();
  for (std::size_t line = 1; line <= lines.size(); ++line) {
    while (!open.empty() && open.back().last < line) open.pop_back();
    std::size_t head = Loop::kNone;
    for (; next != spans.end() && next->first == line; ++next) {
      if (next->last < line) continue;  // a function without a body of its own lines
      if (next->kind == SpanKind::kFunctionBody) {
        open.push_back({next->last, Loop::kNone});
        continue;
      }
      const bool is_comprehension = next->kind == SpanKind::kComprehension;
      // Comprehensions inside each other on the same lines cannot be told apart.
      const bool is_open = !open.empty() && open.back().loop != Loop::kNone;
      if (is_comprehension && is_open) {
        const Loop& around = file.loops[open.back().loop];
        const bool is_same = around.first == next->first && around.last == next->last;
        if (around.is_comprehension && is_same) continue;
      }
      const std::size_t parent = open.empty() ? Loop::kNone : open.back().loop;
      if (!is_comprehension) head = file.loops.size();
      open.push_back({next->last, file.loops.size()});
      file.loops.push_back({is_comprehension, next->first, next->last, parent});
    }
    // The line of a loop's head is the loop's, also when a comprehension stands in it.
    if (head != Loop::kNone) {
      file.of_line[line] = head;
    } else if (!open.empty()) {
      file.of_line[line] = open.back().loop;
    }
  }
  return file;
}

}  // namespace pyrometer
