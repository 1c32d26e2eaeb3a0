#include "merge/parcel.h"

namespace pyrometer {
namespace {

// Of each process of a panel one piece is in memory.
constexpr std::size_t kPieceBytes = 64 << 10;

}  // namespace

void ParcelWriter::begin_item(ItemRow item) {
  const std::int64_t code =
      std::int64_t{item.row} * std::int64_t{kSubjects} + static_cast<std::int64_t>(item.subject);
  out_.signed_varint(code - last_code_);
  last_code_ = code;
}

Result<void> ParcelWriter::end_item() {
  out_.varint(0);
  return out_.size() < kPieceBytes ? Result<void>() : flush();
}

Result<std::vector<Spool::Piece>> ParcelWriter::finish() {
  PYROMETER_TRY_VOID(flush());
  return std::move(pieces_);
}

Result<void> ParcelWriter::flush() {
  if (out_.size() == 0) return {};
  PYROMETER_TRY(const Spool::Piece piece, spool_.append(out_.bytes()));
  pieces_.push_back(piece);
  out_.clear();
  return {};
}

Result<void> ParcelReader::advance() {
  if (in_.remaining() == 0) {
    if (pieces_.empty()) {
      at_end_ = true;
      return {};
    }
    const Spool::Piece& next = pieces_.front();
    PYROMETER_TRY(bytes_, reading_ == Reading::kOnce ? spool_.take(next) : spool_.copy(next));
    in_ = ByteReader(bytes_);
    pieces_ = pieces_.subspan(1);
  }
  last_code_ += in_.signed_varint();
  item_ = {static_cast<Subject>(last_code_ % std::int64_t{kSubjects}),
           static_cast<std::uint32_t>(last_code_ / std::int64_t{kSubjects})};
  return {};
}

}  // namespace pyrometer
