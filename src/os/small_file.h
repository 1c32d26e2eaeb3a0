// Files of /proc and /sys: small, and whole in one read. Nothing is allocated.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace pyrometer {

// What there is of it, in `buffer`, which ends with a zero byte.
template <std::size_t Size>
std::string_view read_small(const char* path, std::array<char, Size>& buffer) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t size = ::read(fd, buffer.data(), Size - 1);
  ::close(fd);
  if (size <= 0) return {};
  buffer[static_cast<std::size_t>(size)] = '\0';
  return {buffer.data(), static_cast<std::size_t>(size)};
}

}  // namespace pyrometer
