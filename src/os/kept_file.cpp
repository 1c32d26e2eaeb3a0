#include "os/kept_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace pyrometer {

KeptFile::KeptFile(const char* path) : path_(path) { open(); }

bool KeptFile::open() {
  const int fd = ::open(path_, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  fd_ = move_to_high_number(fd);
  identity_ = FileIdentity::of(fd_);
  return true;
}

void KeptFile::close() {
  const int fd = std::exchange(fd_, -1);
  if (identity_.is_behind(fd)) ::close(fd);
}

std::string_view KeptFile::read(char* buffer, std::size_t size) {
  if (!identity_.is_behind(fd_) && !open()) return {};
  const ssize_t got = ::pread(fd_, buffer, size, 0);
  return {buffer, got > 0 ? static_cast<std::size_t>(got) : 0};
}

}  // namespace pyrometer
