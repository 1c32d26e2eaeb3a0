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
  return AppendFile(path, fd);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      failed_(std::exchange(other.failed_, true)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(failed_, other.failed_);
  return *this;
}

AppendFile::~AppendFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> AppendFile::append(std::string_view bytes) {
  while (!bytes.empty() && !failed_) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EINTR) {
      failed_ = true;
      return fail(ErrorCode::kIo, "cannot write '{}': {}; what was recorded before is kept",
                  path_.string(), last_error_text());
    }
  }
  if (failed_) {
    return fail(ErrorCode::kIo, "'{}' could not be written before; nothing more is added",
                path_.string());
  }
  return {};
}

}  // namespace pyrometer
