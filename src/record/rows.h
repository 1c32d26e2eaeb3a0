// Rows of integers behind each other: the body of every record that holds many of a
// thing. A column is a varint, signed, or the signed difference to the row before, and
// counts in units of its scale, so that a time in microseconds takes two bytes, not five; or
// it is always what the column before it is, and takes none.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace pyrometer {

struct Column {
  enum class Coding : std::uint8_t { kPlain, kSigned, kDelta, kSame };
  std::string_view name;  // for people; not part of the encoding
  Coding coding = Coding::kPlain;
  std::int64_t scale = 1;
};

class RowReader {
 public:
  RowReader(std::string_view body, std::uint64_t count, std::vector<Column> columns)
      : in_(body), left_(count), columns_(std::move(columns)), values_(columns_.size()) {}

  // Moves to the next row; false after the last one or when the bytes are not what they claim.
  bool next() {
    if (left_ == 0) {
      if (in_.remaining() != 0) in_.set_failed();
      return false;
    }
    --left_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      if (column.coding == Column::Coding::kSame) {
        values_[i] = values_[i - 1];
        continue;
      }
      const std::int64_t stored = column.coding == Column::Coding::kPlain
                                      ? static_cast<std::int64_t>(in_.varint())
                                      : in_.signed_varint();
      const std::int64_t base = column.coding == Column::Coding::kDelta ? values_[i] : 0;
      values_[i] = base + stored * column.scale;
    }
    return in_.ok();
  }

  bool ok() const { return in_.ok(); }
  std::int64_t operator[](std::size_t column) const { return values_[column]; }
  std::span<const std::int64_t> values() const { return values_; }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  ByteReader in_;
  std::uint64_t left_;
  std::vector<Column> columns_;
  std::vector<std::int64_t> values_;
};

class RowWriter {
 public:
  explicit RowWriter(std::vector<Column> columns)
      : columns_(std::move(columns)), previous_(columns_.size()) {}

  // Values must be multiples of their column's scale (the remainder is dropped).
  void row(std::span<const std::int64_t> values) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].coding == Column::Coding::kSame) continue;
      const std::int64_t stored = values[i] / columns_[i].scale;
      switch (columns_[i].coding) {
        case Column::Coding::kPlain: out_.varint(static_cast<std::uint64_t>(stored)); break;
        case Column::Coding::kSigned: out_.signed_varint(stored); break;
        case Column::Coding::kDelta:
          out_.signed_varint(stored - previous_[i]);
          previous_[i] = stored;
          break;
        case Column::Coding::kSame: break;
      }
    }
    ++count_;
  }
  void row(std::initializer_list<std::int64_t> values) {
    row(std::span(values.begin(), values.size()));
  }

  std::uint64_t count() const { return count_; }
  const std::string& bytes() const { return out_.bytes(); }

 private:
  std::vector<Column> columns_;
  std::vector<std::int64_t> previous_;
  ByteWriter out_;
  std::uint64_t count_ = 0;
};

}  // namespace pyrometer
