#include "os/kept_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace pyrometer {
namespace {

std::atomic<int> kept{0};

int open_to_read(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

std::size_t read_at_begin(int fd, char* buffer, std::size_t size) {
  const ssize_t got = ::pread(fd, buffer, size, 0);
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

// Of the descriptors that a program may have, a small part is ours.
int most_kept() {
  constexpr rlim_t kPart = 16;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<int>(std::min(limit.rlim_cur / kPart, rlim_t{KeptFile::kMost}));
}

}  // namespace

KeptFile::KeptFile(KeptFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      identity_(other.identity_) {}

KeptFile& KeptFile::operator=(KeptFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(identity_, other.identity_);
  return *this;
}

void KeptFile::keep(int fd) {
  const bool has_room = kept.fetch_add(1, std::memory_order_relaxed) < most_kept();
  const int high = has_room ? move_to_high_number(fd) : fd;
  if (high != fd) {
    fd_ = high;
    identity_ = FileIdentity::of(fd_);
  } else {
    kept.fetch_sub(1, std::memory_order_relaxed);
    ::close(fd);
  }
}

void KeptFile::close() {
  if (fd_ < 0) return;
  if (is_open()) ::close(fd_);
  fd_ = -1;
  kept.fetch_sub(1, std::memory_order_relaxed);
}

std::size_t KeptFile::read(char* buffer, std::size_t size) {
  if (is_open()) return read_at_begin(fd_, buffer, size);
  close();
  const int fd = open_to_read(path_);
  if (fd < 0) return 0;
  const std::size_t got = read_at_begin(fd, buffer, size);
  keep(fd);
  return got;
}

}  // namespace pyrometer
