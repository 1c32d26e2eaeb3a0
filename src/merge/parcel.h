// The values of one process between the two passes of a merge: packed into pieces of a
// spool, items in canonical order, so that all processes of a panel can be read side by
// side with one piece of each in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/result.h"
#include "merge/spool.h"
#include "store/merged_tables.h"

namespace pyrometer {

// A metric and a thread class as one number.
constexpr std::uint32_t column_of(std::uint32_t metric, ThreadClass thread_class) {
  return metric * static_cast<std::uint32_t>(kThreadClasses) +
         static_cast<std::uint32_t>(thread_class);
}
constexpr std::uint32_t metric_of(std::uint32_t column) {
  return column / static_cast<std::uint32_t>(kThreadClasses);
}
constexpr ThreadClass class_of(std::uint32_t column) {
  return static_cast<ThreadClass>(column % kThreadClasses);
}

// An item by the subject and the row in the union of one shard.
struct ItemRow {
  Subject subject = Subject::kNode;
  std::uint32_t row = 0;
};

class ParcelWriter {
 public:
  explicit ParcelWriter(Spool& spool) : spool_(spool) {}

  // Values of one item: begin, values in the order of their columns, end.
  void begin_item(ItemRow item);
  void value(std::uint32_t column, std::int64_t value) {
    out_.varint(std::uint64_t{column} + 1);
    out_.signed_varint(value);
  }
  Result<void> end_item();

  Result<std::vector<Spool::Piece>> finish();

 private:
  Result<void> flush();

  Spool& spool_;
  ByteWriter out_;
  std::int64_t last_code_ = 0;
  std::vector<Spool::Piece> pieces_;
};

class ParcelReader {
 public:
  // Whether the pieces can be forgotten as soon as they are read.
  enum class Reading : std::uint8_t { kOnce, kAgainLater };
  ParcelReader(Spool& spool, std::span<const Spool::Piece> pieces, Reading reading = Reading::kOnce)
      : spool_(spool), pieces_(pieces), reading_(reading) {}
  ParcelReader(const ParcelReader&) = delete;  // it points into its own bytes
  ParcelReader& operator=(const ParcelReader&) = delete;
  ~ParcelReader() = default;

  // Moves to the next item; the values of the last one have been read.
  Result<void> advance();
  bool at_end() const { return at_end_; }
  ItemRow item() const { return item_; }

  // visit(column, value) for the current item, once.
  template <class Visit>
  void read_values(Visit visit) {
    while (const std::uint64_t column = in_.varint()) {
      const std::int64_t value = in_.signed_varint();
      visit(static_cast<std::uint32_t>(column - 1), value);
    }
  }

 private:
  Spool& spool_;
  std::span<const Spool::Piece> pieces_;
  Reading reading_;
  std::string bytes_;
  ByteReader in_{std::string_view()};
  std::int64_t last_code_ = 0;
  ItemRow item_;
  bool at_end_ = false;
};

}  // namespace pyrometer
