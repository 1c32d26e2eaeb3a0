// What pstats calls a restriction: a number of rows, a share of them, or a pattern that
// their standard name must match.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/pattern.h"
#include "base/result.h"

namespace pyrometer {

class Restriction {
 public:
  // "10" is a number, "0.1" a share, everything else a pattern.
  static Result<Restriction> parse(const std::string& text);

  // An error when it is a pattern that cannot be used; such a one leaves all rows.
  Result<void> check() const;
  bool is_valid() const { return check().has_value(); }

  // As Python writes the value: 10, 0.1, 'json.*'
  std::string representation() const;

  // `standard_name` gives the name of a row, as in standard_name() of names.h.
  template <class Row, class Name>
  void apply(std::vector<Row>& rows, Name standard_name) const {
    if (const auto* text = std::get_if<Regex>(&value_)) {
      if (!text->pattern) return;
      std::erase_if(rows,
                    [&](const Row& row) { return !text->pattern->matches(standard_name(row)); });
    } else {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(rows_left(rows.size())), rows.end());
    }
  }

 private:
  struct Regex {
    std::string text;
    Result<Pattern> pattern;
  };
  using Value = std::variant<std::int64_t, double, Regex>;

  explicit Restriction(Value value) : value_(std::move(value)) {}
  std::size_t rows_left(std::size_t count) const;

  Value value_;
};

}  // namespace pyrometer
