#include "os/high_descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace pyrometer {

int move_to_high_number(int fd) {
  // Far above what programs use, and with room for more of ours up to the limit.
  constexpr rlim_t kRoom = 128;
  constexpr rlim_t kHighest = 1U << 16;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return fd;
  const rlim_t end = std::min(limit.rlim_cur, kHighest);
  const rlim_t lowest = end > 2 * kRoom ? end - kRoom : end / 2;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(lowest));
  if (high < 0) return fd;
  ::close(fd);
  return high;
}

FileIdentity FileIdentity::of(int fd) {
  FileIdentity identity;
  struct stat status {};
  if (fstat(fd, &status) == 0) {
    identity.device_ = status.st_dev;
    identity.inode_ = status.st_ino;
  }
  return identity;
}

bool FileIdentity::is_behind(int fd) const { return fd >= 0 && of(fd) == *this; }

}  // namespace pyrometer
