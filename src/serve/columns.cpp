#include "serve/columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/byte_writer.h"
#include "base/json_writer.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they are");

constexpr std::size_t kAlignment = 8;
constexpr std::size_t kManyRows = 100'000;
constexpr double kSteps = 1U << 24;  // that a scaled column divides its sum into

void pad(std::string& bytes) {
  bytes.append((kAlignment - bytes.size() % kAlignment) % kAlignment, '\0');
}

// All lowest bytes first, then all second ones, and so on.
void append_planes(std::string& out, const char* bytes, std::size_t count, std::size_t size) {
  for (std::size_t plane = 0; plane < size; ++plane) {
    for (std::size_t i = 0; i < count; ++i) out += bytes[i * size + plane];
  }
}

}  // namespace

void ColumnsWriter::add_column(std::string_view name, std::string_view type, const void* values,
                               std::size_t count, std::size_t size) {
  const auto* bytes = static_cast<const char*>(values);
  const bool is_packed = packed_ && size > 1;
  columns_.push_back({std::string(name), type, count, is_packed});
  if (is_packed) {
    append_planes(body_, bytes, count, size);
  } else if (count != 0) {
    body_.append(bytes, count * size);
  }
  pad(body_);
}

void ColumnsWriter::add(std::string_view name, std::span<const std::uint8_t> values) {
  add_column(name, "u8", values.data(), values.size(), sizeof(std::uint8_t));
}
void ColumnsWriter::add(std::string_view name, std::span<const std::uint16_t> values) {
  add_column(name, "u16", values.data(), values.size(), sizeof(std::uint16_t));
}
void ColumnsWriter::add(std::string_view name, std::span<const std::uint32_t> values) {
  add_column(name, "u32", values.data(), values.size(), sizeof(std::uint32_t));
}
void ColumnsWriter::add(std::string_view name, std::span<const std::int32_t> values) {
  add_column(name, "i32", values.data(), values.size(), sizeof(std::int32_t));
}
void ColumnsWriter::add(std::string_view name, std::span<const float> values) {
  add_column(name, "f32", values.data(), values.size(), sizeof(float));
}
void ColumnsWriter::add(std::string_view name, std::span<const double> values) {
  add_column(name, "f64", values.data(), values.size(), sizeof(double));
}

void ColumnsWriter::add_bytes(std::string_view name, std::string_view bytes) {
  add_column(name, "u8", bytes.data(), bytes.size(), 1);
}

void ColumnsWriter::add_texts(std::string_view name, std::span<const std::string_view> texts) {
  std::string bytes;
  std::vector<std::uint32_t> ends;
  ends.reserve(texts.size());
  for (const std::string_view text : texts) {
    bytes += valid_utf8(text);
    ends.push_back(static_cast<std::uint32_t>(bytes.size()));
  }
  add_bytes(std::string(name) + ".bytes", bytes);
  add(std::string(name) + ".ends", std::span<const std::uint32_t>(ends));
}

void ColumnsWriter::add_values(std::string_view name, std::span<const double> values,
                               Combine combine) {
  double total = 0;
  double smallest = 0;
  double largest = 0;
  for (const double value : values) {
    total += value;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  // Negative values are rare, and then worth their eight bytes.
  if (!packed_ || values.size() <= kManyRows || smallest < 0) {
    add(name, values);
    return;
  }
  const double whole = combine == Combine::kSum ? total : largest;
  const double factor = std::max(1.0, whole / kSteps);
  std::vector<std::uint32_t> scaled;
  scaled.reserve(values.size());
  // What is rounded away is given to the next row: sums of neighbours, and so of whole subtrees,
  // stay right to a step.
  double left = 0;
  for (const double value : values) {
    left += value / factor;
    const double steps = std::max(0.0, value == 0 ? 0 : std::round(left));
    left -= steps;
    scaled.push_back(static_cast<std::uint32_t>(steps));
  }
  scales_.push_back({std::string(name), factor});
  add(name, std::span<const std::uint32_t>(scaled));
}

std::string ColumnsWriter::meta_with_scales(std::string_view meta) const {
  if (scales_.empty()) return std::string(meta);
  JsonWriter scales;
  scales.begin_object();
  for (const Scale& scale : scales_) scales.member(scale.name, scale.factor);
  scales.end_object();
  const std::string_view rest = meta.substr(1);
  const bool is_empty = rest.find('"') == std::string_view::npos;
  return "{\"scale\":" + scales.take() + (is_empty ? "" : ",") + std::string(rest);
}

std::string ColumnsWriter::take(std::string_view meta) {
  JsonWriter columns;
  columns.begin_array();
  for (const Column& column : columns_) {
    columns.begin_object().member("name", column.name).member("type", column.type);
    columns.member("count", column.count).member("packed", column.is_packed).end_object();
  }
  columns.end_array();
  const std::string json =
      "{\"meta\":" + meta_with_scales(meta) + ",\"columns\":" + columns.take() + "}";
  ByteWriter head;
  head.raw("PYC1");
  head.u32(static_cast<std::uint32_t>(json.size()));
  head.raw(json);
  std::string file = head.take();
  pad(file);
  file += body_;
  columns_.clear();
  scales_.clear();
  body_.clear();
  return file;
}

}  // namespace pyrometer
