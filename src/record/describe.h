// Any record as named fields and rows, for people and for JSON: what `pyrometer dump` shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "record/records.h"

namespace pyrometer {

struct RecordDescription {
  using Value = std::variant<std::int64_t, std::uint64_t, std::string>;
  std::vector<std::pair<std::string_view, Value>> fields;
  std::vector<std::string_view> columns;
  std::vector<std::vector<std::int64_t>> rows;
  bool rows_are_whole = true;  // false: the rows are not what the record claims
};

RecordDescription describe(Record& record);

}  // namespace pyrometer
