// Rows of the analyses as columns, one after the other.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "serve/columns.h"

namespace pyrometer {

inline constexpr std::uint32_t kNoRow = 0xffffffffU;

inline std::uint32_t row_or_none(FunctionId function) {
  return function.is_none() ? kNoRow : function.row();
}

// A column by what it holds of each row.
template <class Value, class Rows, class Get>
void add_column(ColumnsWriter& out, std::string_view name, const Rows& rows, Get get) {
  std::vector<Value> column;
  column.reserve(rows.size());
  for (const auto& row : rows) column.push_back(static_cast<Value>(get(row)));
  out.add(name, std::span<const Value>(column));
}

}  // namespace pyrometer
