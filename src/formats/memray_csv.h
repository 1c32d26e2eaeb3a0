// What `memray transform csv` writes: one row per place that allocated, with its call stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct MemrayFrame {
  std::string_view function;
  std::string_view file;
  std::uint32_t line = 0;
};

struct MemrayRow {
  std::int64_t allocations = 0;
  std::int64_t bytes = 0;
  std::string_view tid;
  std::string_view thread_name;
  std::vector<MemrayFrame> stack;  // innermost first
};

bool looks_like_memray_csv(std::string_view prefix);

// Goes through the text row by row; memory does not grow with it.
class MemrayCsvReader {
 public:
  explicit MemrayCsvReader(std::string_view text) : rest_(text) {}

  // False at the end. The row's views hold until the next call.
  Result<bool> next(MemrayRow& row);

 private:
  bool read_line();

  std::string_view rest_;
  std::vector<std::string> cells_;
  std::size_t line_ = 0;
};

}  // namespace pyrometer
