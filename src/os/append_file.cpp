#include "os/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace pyrometer {

Result<AppendFile> AppendFile::create(const Path& path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  constexpr mode_t kOwnerOnly = 0600;
  const int fd = ::open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly);
  if (fd < 0) {
    return fail(ErrorCode::kIo, "cannot create '{}': {}; choose another place with -o",
                path.string(), last_error_text());
  }
  return AppendFile(path, move_to_high_number(fd));
}

AppendFile::AppendFile(Path path, int fd)
    : path_(std::move(path)), fd_(fd), identity_(FileIdentity::of(fd)) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      identity_(other.identity_),
      failed_(std::exchange(other.failed_, true)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(identity_, other.identity_);
  std::swap(failed_, other.failed_);
  return *this;
}

AppendFile::~AppendFile() {
  if (identity_.is_behind(fd_)) ::close(fd_);
}

// Only the very file that was created: one put in its place by somebody else is not ours.
bool AppendFile::open_again() {
  const int fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  if (!identity_.is_behind(fd)) {
    ::close(fd);
    errno = ESTALE;
    return false;
  }
  fd_ = move_to_high_number(fd);
  return true;
}

Result<void> AppendFile::append(std::string_view bytes) {
  if (failed_) {
    return fail(ErrorCode::kIo, "'{}' could not be written before; nothing more is added",
                path_.string());
  }
  failed_ = !identity_.is_behind(fd_) && !open_again();
  while (!bytes.empty() && !failed_) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EINTR) {
      failed_ = true;
    }
  }
  if (failed_) {
    return fail(ErrorCode::kIo, "cannot write '{}': {}; what was recorded before is kept",
                path_.string(), last_error_text());
  }
  return {};
}

}  // namespace pyrometer
