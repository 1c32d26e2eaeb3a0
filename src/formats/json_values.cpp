#include "formats/json_values.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cmath>
#include <limits>

namespace pyrometer {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max() / 2;

json::string_view key_view(std::string_view key) { return {key.data(), key.size()}; }

std::int64_t limited(double value) {
  // The limit itself is not a double; the next smaller one is.
  const double limit = std::nextafter(static_cast<double>(kLargest), 0);
  return std::llround(std::clamp(value, -limit, limit));
}

}  // namespace

const json::value* member_of(const json::object& object, std::string_view key) {
  return object.if_contains(key_view(key));
}

const json::array* array_in(const json::object& object, std::string_view key) {
  const json::value* value = member_of(object, key);
  return value == nullptr ? nullptr : value->if_array();
}

const json::object* object_in(const json::object& object, std::string_view key) {
  const json::value* value = member_of(object, key);
  return value == nullptr ? nullptr : value->if_object();
}

std::string_view text_of(const json::value& value) {
  const json::string* text = value.if_string();
  return text == nullptr ? std::string_view() : std::string_view(text->data(), text->size());
}

std::string_view text_in(const json::object& object, std::string_view key) {
  const json::value* value = member_of(object, key);
  return value == nullptr ? std::string_view() : text_of(*value);
}

std::optional<double> number_of(const json::value& value) {
  if (const auto* number = value.if_int64()) return static_cast<double>(*number);
  if (const auto* number = value.if_uint64()) return static_cast<double>(*number);
  const auto* number = value.if_double();
  if (number == nullptr || !std::isfinite(*number)) return std::nullopt;
  return *number;
}

std::optional<double> number_in(const json::object& object, std::string_view key) {
  const json::value* value = member_of(object, key);
  return value == nullptr ? std::nullopt : number_of(*value);
}

std::optional<std::int64_t> scaled(const json::value& value, double factor) {
  if (const auto* whole = value.if_int64(); whole != nullptr && factor == std::floor(factor)) {
    std::int64_t product = 0;
    const bool fits =
        !__builtin_mul_overflow(*whole, static_cast<std::int64_t>(factor), &product) &&
        product <= kLargest && product >= -kLargest;
    if (fits) return product;
  }
  const auto number = number_of(value);
  if (!number) return std::nullopt;
  return limited(*number * factor);
}

std::optional<std::int64_t> scaled_in(const json::object& object, std::string_view key,
                                      double factor) {
  const json::value* value = member_of(object, key);
  if (value == nullptr) return std::nullopt;
  return scaled(*value, factor);
}

std::optional<std::size_t> row_in(const json::object& object, std::string_view key,
                                  std::size_t size) {
  const json::value* value = member_of(object, key);
  if (value == nullptr) return std::nullopt;
  return row_of(*value, size);
}

std::optional<std::size_t> row_of(const json::value& value, std::size_t size) {
  const auto* row = value.if_int64();
  if (row == nullptr || *row < 0 || static_cast<std::uint64_t>(*row) >= size) return std::nullopt;
  return static_cast<std::size_t>(*row);
}

std::uint32_t line_of(const json::value& value) {
  const auto* line = value.if_int64();
  const bool is_line =
      line != nullptr && *line > 0 && *line <= std::numeric_limits<std::int32_t>::max();
  return is_line ? static_cast<std::uint32_t>(*line) : 0;
}

std::uint32_t line_in(const json::object& object, std::string_view key) {
  const json::value* value = member_of(object, key);
  return value == nullptr ? 0 : line_of(*value);
}

std::string label_of(const json::value& value) {
  if (value.is_string()) return std::string(text_of(value));
  return value.is_number() ? std::string(json::serialize(value)) : std::string();
}

std::string label_in(const json::object& object, std::string_view key) {
  const json::value* value = member_of(object, key);
  return value == nullptr ? std::string() : label_of(*value);
}

std::uint64_t number_of_label(std::string_view label) {
  std::uint64_t number = 0;
  const bool is_hex = label.starts_with("0x");
  if (is_hex) label.remove_prefix(2);
  std::from_chars(label.data(), label.data() + label.size(), number, is_hex ? 16 : 10);
  return number;
}

}  // namespace pyrometer
