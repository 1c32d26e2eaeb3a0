#include "cpython/line_table.h"

#include <algorithm>

namespace pyrometer {
namespace {

class TableReader {
 public:
  explicit TableReader(std::string_view table) : table_(table) {}
  bool at_end() const { return position_ == table_.size(); }
  bool ok() const { return ok_; }

  std::uint32_t byte() {
    if (at_end()) {
      ok_ = false;
      return 0;
    }
    return static_cast<std::uint8_t>(table_[position_++]);
  }
  std::uint32_t varint() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 30; shift += 6) {
      const std::uint32_t next = byte();
      value |= (next & 0x3fU) << shift;
      if ((next & 0x40U) == 0) return value;
    }
    ok_ = false;
    return 0;
  }
  std::int32_t signed_varint() {
    const std::uint32_t value = varint();
    const auto magnitude = static_cast<std::int32_t>(value >> 1U);
    return (value & 1U) != 0 ? -magnitude : magnitude;
  }

 private:
  std::string_view table_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

bool says_the_same(const SourceRange& a, const SourceRange& b) {
  return a.line == b.line && a.end_line == b.end_line && a.column == b.column &&
         a.end_column == b.end_column && a.has_location == b.has_location;
}

// The kinds of entries, as PEP 657 numbers them.
constexpr std::uint32_t kOneLineFirst = 10;
constexpr std::uint32_t kNoColumns = 13;
constexpr std::uint32_t kLong = 14;
constexpr std::uint32_t kNoLocation = 15;

// Until `visit` has seen enough and returns false.
template <class Visit>
void visit_ranges(std::string_view table, std::uint32_t first_line, Visit&& visit) {
  TableReader in(table);
  std::uint32_t instruction = 0;
  auto line = static_cast<std::int32_t>(first_line);
  while (!in.at_end()) {
    const std::uint32_t head = in.byte();
    if ((head & 0x80U) == 0) return;
    const std::uint32_t kind = (head >> 3U) & 15U;
    SourceRange range{.instruction = instruction};
    instruction += (head & 7U) + 1;
    std::int32_t more_lines = 0;
    if (kind < kOneLineFirst) {
      const std::uint32_t columns = in.byte();
      range.column = static_cast<std::int32_t>((kind << 3U) | (columns >> 4U));
      range.end_column = range.column + static_cast<std::int32_t>(columns & 15U);
    } else if (kind < kNoColumns) {
      line += static_cast<std::int32_t>(kind - kOneLineFirst);
      range.column = static_cast<std::int32_t>(in.byte());
      range.end_column = static_cast<std::int32_t>(in.byte());
    } else if (kind == kNoColumns) {
      line += in.signed_varint();
    } else if (kind == kLong) {
      line += in.signed_varint();
      more_lines = static_cast<std::int32_t>(in.varint());
      range.column = static_cast<std::int32_t>(in.varint()) - 1;
      range.end_column = static_cast<std::int32_t>(in.varint()) - 1;
    }
    if (!in.ok()) return;
    range.has_location = kind != kNoLocation;
    if (range.has_location && line > 0) {
      range.line = static_cast<std::uint32_t>(line);
      range.end_line = static_cast<std::uint32_t>(line + more_lines);
    }
    if (!visit(range)) return;
  }
}

}  // namespace

std::vector<SourceRange> decode_line_table(std::string_view table, std::uint32_t first_line) {
  std::vector<SourceRange> ranges;
  visit_ranges(table, first_line, [&](const SourceRange& range) {
    if (ranges.empty() || !says_the_same(ranges.back(), range)) ranges.push_back(range);
    return true;
  });
  return ranges;
}

std::uint32_t line_of(std::string_view table, std::int32_t instruction, std::uint32_t first_line) {
  if (instruction < 0) return first_line;
  std::uint32_t line = 0;
  visit_ranges(table, first_line, [&](const SourceRange& range) {
    if (range.instruction > static_cast<std::uint32_t>(instruction)) return false;
    line = range.line;
    return true;
  });
  return line == 0 ? first_line : line;
}

std::uint32_t line_of(const std::vector<SourceRange>& ranges, std::int32_t instruction,
                      std::uint32_t first_line) {
  if (instruction < 0) return first_line;
  const auto after = std::upper_bound(
      ranges.begin(), ranges.end(), static_cast<std::uint32_t>(instruction),
      [](std::uint32_t wanted, const SourceRange& range) { return wanted < range.instruction; });
  if (after == ranges.begin() || std::prev(after)->line == 0) return first_line;
  return std::prev(after)->line;
}

std::uint32_t first_column_of(const std::vector<SourceRange>& ranges, std::uint32_t first_line) {
  for (const SourceRange& range : ranges) {
    if (range.line == first_line && range.column > 0) {
      return static_cast<std::uint32_t>(range.column) + 1;
    }
  }
  return 0;
}

}  // namespace pyrometer
