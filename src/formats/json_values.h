// Values of a JSON document that nobody has checked: each of these gives nothing where the value
// is missing or is something else, so that a reader says what it needed and where.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyrometer {

namespace json = boost::json;

const json::value* member_of(const json::object& object, std::string_view key);
const json::array* array_in(const json::object& object, std::string_view key);
const json::object* object_in(const json::object& object, std::string_view key);
std::string_view text_in(const json::object& object, std::string_view key);

std::string_view text_of(const json::value& value);
std::optional<double> number_of(const json::value& value);
std::optional<double> number_in(const json::object& object, std::string_view key);

// `value` times `factor` as a whole number; numbers beyond any program become the largest that
// two of can still be added. Whole numbers times whole factors stay exact.
std::optional<std::int64_t> scaled(const json::value& value, double factor);
std::optional<std::int64_t> scaled_in(const json::object& object, std::string_view key,
                                      double factor);

// The number of a row in a table of `size` rows.
std::optional<std::size_t> row_of(const json::value& value, std::size_t size);
std::optional<std::size_t> row_in(const json::object& object, std::string_view key,
                                  std::size_t size);

// A line of a file; 0 when unknown, as for null and for what is no line.
std::uint32_t line_of(const json::value& value);
std::uint32_t line_in(const json::object& object, std::string_view key);

// What names a process or thread: tools write numbers or texts.
std::string label_of(const json::value& value);
std::string label_in(const json::object& object, std::string_view key);
// The number at the beginning of such a label, or 0.
std::uint64_t number_of_label(std::string_view label);

}  // namespace pyrometer
