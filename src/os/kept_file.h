// A small file of /proc that is read again and again: kept open under a high number, as opening it
// takes longer than reading, and takes a number that the program may expect to get.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "os/high_descriptor.h"

namespace pyrometer {

class KeptFile {
 public:
  // So many in a process, and fewer where it may have few descriptors; others are opened anew for
  // each look.
  static constexpr int kMost = 64;

  explicit KeptFile(std::string path) : path_(std::move(path)) {}
  KeptFile(KeptFile&& other) noexcept;
  KeptFile& operator=(KeptFile&& other) noexcept;
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;
  ~KeptFile() { close(); }

  // What is there now, in `buffer`, which ends with a zero byte; nothing when it cannot be read. A
  // program that closes every descriptor only makes us open it again.
  template <std::size_t Size>
  std::string_view read(std::array<char, Size>& buffer) {
    const std::size_t size = read(buffer.data(), Size - 1);
    buffer[size] = '\0';
    return {buffer.data(), size};
  }
  void close();

 private:
  std::size_t read(char* buffer, std::size_t size);
  bool is_open() const { return identity_.is_behind(fd_); }
  void keep(int fd);

  std::string path_;
  int fd_ = -1;
  FileIdentity identity_;
};

}  // namespace pyrometer
