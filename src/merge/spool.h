// Bytes put aside for later: in memory up to a limit, beyond it in a nameless file beside the
// output, so that a merge of any size needs little memory. Each piece is taken back once, and may
// be copied before.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace pyrometer {

class Spool {
 public:
  Spool(Path output, std::uint64_t memory_limit)
      : output_(std::move(output)), memory_limit_(memory_limit) {}

  struct Piece {
    std::uint64_t place = 0;  // a number in memory, or an offset in the file
    std::uint64_t size = 0;
    bool is_in_file = false;
  };

  Result<Piece> append(std::string bytes);
  Result<std::string> take(const Piece& piece);
  Result<std::string> copy(const Piece& piece);

 private:
  tl::unexpected<Error> file_error() const;

  Path output_;
  std::uint64_t memory_limit_;
  std::uint64_t memory_used_ = 0;
  std::deque<std::string> memory_;
  FileHandle file_;
  std::uint64_t file_size_ = 0;
};

}  // namespace pyrometer
