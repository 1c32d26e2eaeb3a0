// A small file of /proc that is read again and again: kept open under a high number, as opening it
// takes longer than reading, and takes a number that the program may expect to get.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "os/high_descriptor.h"

namespace pyrometer {

class KeptFile {
 public:
  explicit KeptFile(const char* path);  // which lives as long
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;
  ~KeptFile() { close(); }

  // What is there now, in `buffer`; nothing when it cannot be read. A program that closes every
  // descriptor only makes us open it again.
  template <std::size_t Size>
  std::string_view read(std::array<char, Size>& buffer) {
    return read(buffer.data(), Size);
  }
  void close();

 private:
  std::string_view read(char* buffer, std::size_t size);
  bool open();

  const char* const path_;
  int fd_ = -1;
  FileIdentity identity_;
};

}  // namespace pyrometer
