// A table of a Firefox profile in either of its two layouts: one array per column (processed
// profiles) or a schema and an array per row (Gecko's own). What is not there reads as null.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <vector>

#include "formats/json_values.h"

namespace pyrometer {

class FirefoxTable {
 public:
  // A missing table has no rows.
  FirefoxTable(const json::object* table, std::initializer_list<std::string_view> columns) {
    if (table == nullptr) return;
    const json::object* schema = object_in(*table, "schema");
    rows_ = schema == nullptr ? nullptr : array_in(*table, "data");
    for (const std::string_view name : columns) {
      if (rows_ == nullptr) {
        const json::array* column = array_in(*table, name);
        columns_.push_back(column);
        if (column != nullptr) size_ = std::max(size_, column->size());
      } else {
        const json::value* index = member_of(*schema, name);
        indexes_.push_back(index == nullptr ? kMissing
                                            : row_of(*index, kMissing).value_or(kMissing));
      }
    }
    if (rows_ != nullptr) size_ = rows_->size();
  }

  std::size_t size() const { return size_; }

  // `column` counts as the constructor's list does.
  const json::value& at(std::size_t row, std::size_t column) const {
    const json::array* values = nullptr;
    std::size_t index = row;
    if (rows_ != nullptr) {
      values = row < rows_->size() ? (*rows_)[row].if_array() : nullptr;
      index = indexes_[column];
    } else if (column < columns_.size()) {
      values = columns_[column];
    }
    return values != nullptr && index < values->size() ? (*values)[index] : null();
  }

 private:
  static constexpr std::size_t kMissing = static_cast<std::size_t>(-1);
  static const json::value& null() {
    static const json::value value(nullptr);
    return value;
  }

  const json::array* rows_ = nullptr;
  std::vector<std::size_t> indexes_;         // by column, in a row
  std::vector<const json::array*> columns_;  // by column
  std::size_t size_ = 0;
};

}  // namespace pyrometer
