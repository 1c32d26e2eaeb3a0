// Reads a columns file as the browser does.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pyrometer::testing {

class ReadColumns {
 public:
  explicit ReadColumns(const std::string& file) {
    EXPECT_EQ(file.substr(0, 4), "PYC1");
    std::uint32_t length = 0;
    std::memcpy(&length, file.data() + 4, sizeof length);
    head_ = nlohmann::json::parse(file.substr(8, length));
    std::size_t at = round_up(8 + length);
    for (const auto& column : head_["columns"]) {
      const std::size_t size = sizes().at(column["type"]);
      const std::size_t count = column["count"];
      std::string bytes = file.substr(at, size * count);
      EXPECT_EQ(bytes.size(), size * count);
      if (column["packed"]) bytes = unpack(bytes, size, count);
      columns_[column["name"]] = {column["type"], bytes};
      at = round_up(at + size * count);
    }
    EXPECT_EQ(at, file.size());
  }

  const nlohmann::json& meta() const { return head_["meta"]; }
  bool has(const std::string& name) const { return columns_.contains(name); }
  std::string type(const std::string& name) const { return columns_.at(name).type; }
  const std::string& bytes(const std::string& name) const { return columns_.at(name).bytes; }

  template <class Value>
  std::vector<Value> get(const std::string& name) const {
    const std::string& from = bytes(name);
    std::vector<Value> values(from.size() / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), from.data(), from.size());
    return values;
  }
  std::vector<std::uint32_t> rows(const std::string& name) const {
    EXPECT_EQ(type(name), "u32") << name;
    return get<std::uint32_t>(name);
  }
  std::vector<double> numbers(const std::string& name) const {
    EXPECT_EQ(type(name), "f64") << name;
    return get<double>(name);
  }
  std::vector<std::string> texts(const std::string& name) const {
    std::vector<std::string> all;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : rows(name + ".ends")) {
      all.push_back(bytes(name + ".bytes").substr(begin, end - begin));
      begin = end;
    }
    return all;
  }

 private:
  struct Column {
    std::string type, bytes;
  };
  static std::size_t round_up(std::size_t size) { return (size + 7) / 8 * 8; }
  static const std::map<std::string, std::size_t>& sizes() {
    static const std::map<std::string, std::size_t> sizes{{"u8", 1},  {"u16", 2}, {"u32", 4},
                                                          {"i32", 4}, {"f32", 4}, {"f64", 8}};
    return sizes;
  }
  static std::string unpack(const std::string& planes, std::size_t size, std::size_t count) {
    std::string bytes(planes.size(), '\0');
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t plane = 0; plane < size; ++plane) {
        bytes[i * size + plane] = planes[plane * count + i];
      }
    }
    return bytes;
  }

  nlohmann::json head_;
  std::map<std::string, Column> columns_;
};

}  // namespace pyrometer::testing
