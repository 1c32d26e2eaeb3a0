#include "merge/spool.h"

#include <utility>

namespace pyrometer {

tl::unexpected<Error> Spool::file_error() const {
  return fail(ErrorCode::kIo,
              "cannot put values aside beside '{}': {}; free some space or choose another place",
              output_.string(), last_error_text());
}

Result<Spool::Piece> Spool::append(std::string bytes) {
  Piece piece{.place = memory_.size(), .size = bytes.size(), .is_in_file = false};
  if (memory_used_ + bytes.size() <= memory_limit_) {
    memory_used_ += bytes.size();
    memory_.push_back(std::move(bytes));
    return piece;
  }
  if (!file_) {
    const Path path = temporary_beside(output_);
    file_.reset(std::fopen(path.c_str(), "w+bx"));
    if (!file_) return file_error();
    // Without a name it cannot be left behind, however this process ends.
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  piece.place = file_size_;
  piece.is_in_file = true;
  file_size_ += bytes.size();
  // Reads come after all writes; only then does the position move elsewhere.
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) return file_error();
  return piece;
}

Result<std::string> Spool::take(const Piece& piece) {
  if (!piece.is_in_file) return std::exchange(memory_[piece.place], {});
  return copy(piece);
}

Result<std::string> Spool::copy(const Piece& piece) {
  if (!piece.is_in_file) return memory_[piece.place];
  std::string bytes(piece.size, '\0');
  if (std::fseek(file_.get(), static_cast<long>(piece.place), SEEK_SET) != 0 ||
      std::fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    return file_error();
  }
  return bytes;
}

}  // namespace pyrometer
