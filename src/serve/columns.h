// Many numbers for the browser: named columns, each of one type, after a short JSON that describes
// them (docs/view-data.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/kinds.h"

namespace pyrometer {

class ColumnsWriter {
 public:
  // In a packed file the bytes of each column come as planes, which compress much better.
  explicit ColumnsWriter(bool packed = false) : packed_(packed) {}

  void add(std::string_view name, std::span<const std::uint8_t> values);
  void add(std::string_view name, std::span<const std::uint16_t> values);
  void add(std::string_view name, std::span<const std::uint32_t> values);
  void add(std::string_view name, std::span<const std::int32_t> values);
  void add(std::string_view name, std::span<const float> values);
  void add(std::string_view name, std::span<const double> values);

  // Columns NAME.bytes and NAME.ends; texts are made valid UTF-8.
  void add_texts(std::string_view name, std::span<const std::string_view> texts);
  // A u8 column of any bytes.
  void add_bytes(std::string_view name, std::string_view bytes);

  // As f64; packed and beyond 100,000 rows as u32, to be multiplied by what `meta.scale` says.
  void add_values(std::string_view name, std::span<const double> values, Combine combine);

  // The finished file. `meta` is a JSON object, to which the scales are added.
  std::string take(std::string_view meta = "{}");

 private:
  struct Column {
    std::string name;
    std::string_view type;
    std::size_t count = 0;
    bool is_packed = false;
  };
  struct Scale {
    std::string name;
    double factor = 1;
  };

  void add_column(std::string_view name, std::string_view type, const void* values,
                  std::size_t count, std::size_t size);
  std::string meta_with_scales(std::string_view meta) const;

  bool packed_;
  std::vector<Column> columns_;
  std::vector<Scale> scales_;
  std::string body_;
};

}  // namespace pyrometer
