#include "formats/memray_csv.h"

#include <algorithm>
#include <charconv>

namespace pyrometer {
namespace {

constexpr std::string_view kTitles = "allocator,num_allocations,size,tid,thread_name,stack_trace";
constexpr std::size_t kColumns = 6;
constexpr std::size_t kLongestFrame = 1U << 16;

template <class Number>
bool parse(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

// "name;file;line"; names of C++ may hold both separators of a stack, lines never do.
bool parse_frame(std::string_view text, MemrayFrame& frame) {
  const std::size_t last = text.rfind(';');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t first = text.rfind(';', last - 1);
  if (first == std::string_view::npos || !parse(text.substr(last + 1), frame.line)) return false;
  frame.function = text.substr(0, first);
  frame.file = text.substr(first + 1, last - first - 1);
  return true;
}

bool parse_stack(std::string_view text, std::vector<MemrayFrame>& stack) {
  std::size_t begin = 0;
  std::size_t end = 0;
  while (begin < text.size()) {
    end = text.find('|', end);
    // Looking for the line of a frame again and again must not take forever.
    if (std::min(end, text.size()) - begin > kLongestFrame) return false;
    MemrayFrame frame;
    const bool is_whole = parse_frame(text.substr(begin, end - begin), frame);
    if (is_whole) stack.push_back(frame);
    if (end == std::string_view::npos) return is_whole;
    ++end;
    if (is_whole) begin = end;
  }
  return true;
}

}  // namespace

bool looks_like_memray_csv(std::string_view prefix) { return prefix.starts_with(kTitles); }

// One row into cells: texts in quotes may hold commas, line breaks and doubled quotes.
bool MemrayCsvReader::read_line() {
  cells_.assign(1, "");
  bool in_quotes = false;
  std::size_t i = 0;
  for (; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (in_quotes) {
      const bool is_doubled = c == '"' && i + 1 < rest_.size() && rest_[i + 1] == '"';
      if (c != '"' || is_doubled) cells_.back() += c;
      if (is_doubled) ++i;
      in_quotes = c != '"' || is_doubled;
    } else if (c == '"') {
      in_quotes = true;
    } else if (c == ',') {
      if (cells_.size() > kColumns) return false;
      cells_.emplace_back();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      cells_.back() += c;
    }
  }
  rest_.remove_prefix(std::min(rest_.size(), i + 1));
  return !in_quotes;
}

Result<bool> MemrayCsvReader::next(MemrayRow& row) {
  while (!rest_.empty()) {
    ++line_;
    const bool is_sound = read_line();
    if (line_ == 1) continue;  // titles
    if (cells_.size() == 1 && cells_[0].empty()) continue;
    row.stack.clear();
    if (!is_sound || cells_.size() != kColumns || !parse(cells_[1], row.allocations) ||
        !parse(cells_[2], row.bytes) || !parse_stack(cells_[5], row.stack)) {
      return fail(ErrorCode::kCorrupt, "row {} of this CSV file of memray is not sound", line_);
    }
    row.tid = cells_[3];
    row.thread_name = cells_[4];
    return true;
  }
  return false;
}

}  // namespace pyrometer
