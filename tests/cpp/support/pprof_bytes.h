// Makes pprof files, right ones and wrong ones, field by field.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyrometer::testing {

class PprofBytes {
 public:
  using Numbers = std::initializer_list<std::pair<protozero::pbf_tag_type, std::uint64_t>>;

  PprofBytes() { text(""); }

  std::uint64_t text(std::string_view text) {
    strings_.emplace_back(text);
    return strings_.size() - 1;
  }
  // A message of numbers: {{field, value}, ...}.
  PprofBytes& message(protozero::pbf_tag_type tag, Numbers numbers) {
    return add(tag, of_numbers(numbers));
  }
  PprofBytes& type(std::string_view type, std::string_view unit) {
    return message(1, {{1, text(type)}, {2, text(unit)}});
  }
  PprofBytes& function(std::uint64_t id, std::string_view name, std::string_view file) {
    return message(5, {{1, id}, {2, text(name)}, {4, text(file)}});
  }
  // Lines are (function, line), the innermost first.
  PprofBytes& location(std::uint64_t id, std::uint64_t mapping,
                       std::vector<std::pair<std::uint64_t, std::uint64_t>> lines) {
    std::string bytes = of_numbers({{1, id}, {2, mapping}});
    protozero::pbf_writer writer(bytes);
    for (const auto& [function, line] : lines) {
      writer.add_message(4, of_numbers({{1, function}, {2, line}}));
    }
    return add(4, bytes);
  }
  // Labels are (key, text); an empty text makes it the number 7.
  PprofBytes& sample(
      const std::vector<std::uint64_t>& locations, const std::vector<std::int64_t>& values,
      std::initializer_list<std::pair<std::string_view, std::string_view>> labels = {},
      bool is_packed = true) {
    std::string bytes;
    protozero::pbf_writer writer(bytes);
    if (is_packed) {
      writer.add_packed_uint64(1, locations.begin(), locations.end());
      writer.add_packed_int64(2, values.begin(), values.end());
    } else {
      for (const std::uint64_t location : locations) writer.add_uint64(1, location);
      for (const std::int64_t value : values) writer.add_int64(2, value);
    }
    for (const auto& [key, value] : labels) {
      writer.add_message(3, value.empty() ? of_numbers({{1, text(key)}, {3, 7}})
                                          : of_numbers({{1, text(key)}, {2, text(value)}}));
    }
    return add(2, bytes);
  }

  std::string bytes() const {
    std::string all = bytes_;
    protozero::pbf_writer writer(all);
    for (const std::string& text : strings_) writer.add_string(6, text);
    return all;
  }

 private:
  static std::string of_numbers(Numbers numbers) {
    std::string bytes;
    protozero::pbf_writer writer(bytes);
    for (const auto& [tag, value] : numbers) writer.add_uint64(tag, value);
    return bytes;
  }
  PprofBytes& add(protozero::pbf_tag_type tag, const std::string& message) {
    protozero::pbf_writer writer(bytes_);
    writer.add_message(tag, message);
    return *this;
  }

  std::string bytes_;
  std::vector<std::string> strings_;
};

}  // namespace pyrometer::testing
