#include "base/file.h"

#include <atomic>
#include <cerrno>
#include <random>
#include <system_error>

namespace pyrometer {
namespace {

namespace fs = std::filesystem;

Result<void> write_all(std::FILE* file, const Path& path, std::string_view bytes) {
  // Where there is nothing to write, there may be no address of it either.
  const bool is_written =
      bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (!is_written || std::fflush(file) != 0) {
    return fail(ErrorCode::kIo, "cannot write '{}': {}; free some space or choose another place",
                path.string(), last_error_text());
  }
  return {};
}

// What to do where a file cannot be made: empty, or with a semicolon in front.
std::string remedy_for(const Path& path) {
  const Path folder = path.parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::exists(folder, ignored)) return {};
  return fmt::format("; make the folder '{}' first", folder.string());
}

// A device or a pipe, "/dev/null" or "/dev/stdout": what is there is written to, never replaced.
bool is_special(const Path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

std::string last_error_text() { return std::error_code(errno, std::generic_category()).message(); }

Result<FileHandle> open_for_reading(const Path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return fail(ErrorCode::kNotFound, "'{}' does not exist; check the name and the folder",
                path.string());
  }
  if (!error && status.type() != fs::file_type::regular) {
    return fail(ErrorCode::kUsage, "'{}' is not a regular file; name a profile file",
                path.string());
  }
  FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return fail(ErrorCode::kIo, "cannot open '{}': {}", path.string(), last_error_text());
  }
  return file;
}

Result<std::string> read_file(const Path& path, std::uint64_t limit) {
  PYROMETER_TRY(const FileHandle file, open_for_reading(path));
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (error) return fail(ErrorCode::kIo, "cannot read '{}': {}", path.string(), error.message());
  if (size > limit) {
    return fail(ErrorCode::kTooLarge, "'{}' has {} bytes, more than the {} that are read at most",
                path.string(), size, limit);
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    return fail(ErrorCode::kIo, "cannot read '{}': {}", path.string(), last_error_text());
  }
  return bytes;
}

Result<std::string> read_prefix(const Path& path, std::size_t size) {
  PYROMETER_TRY(const FileHandle file, open_for_reading(path));
  std::string bytes(size, '\0');
  bytes.resize(std::fread(bytes.data(), 1, size, file.get()));
  if (std::ferror(file.get()) != 0) {
    return fail(ErrorCode::kIo, "cannot read '{}': {}", path.string(), last_error_text());
  }
  return bytes;
}

Path temporary_beside(const Path& path) {
  static std::atomic<unsigned> counter{0};
  static const unsigned seed = std::random_device{}();
  return path.string() + fmt::format(".{:08x}-{}.tmp", seed, counter++);
}

Result<void> move_into_place(const Path& temporary, const Path& path) {
  std::error_code error;
  std::error_code ignored;
  if (is_special(path)) {
    fs::remove(temporary, ignored);
    return fail(ErrorCode::kUsage, "'{}' is not a regular file; name one to write", path.string());
  }
  fs::rename(temporary, path, error);
  if (error) {
    fs::remove(temporary, ignored);
    return fail(ErrorCode::kIo, "cannot write '{}': {}", path.string(), error.message());
  }
  return {};
}

Result<void> write_file(const Path& path, std::string_view bytes) {
  if (is_special(path)) {
    const FileHandle file(std::fopen(path.c_str(), "wb"));
    if (!file) {
      return fail(ErrorCode::kIo, "cannot write '{}': {}", path.string(), last_error_text());
    }
    return write_all(file.get(), path, bytes);
  }
  const Path temporary = temporary_beside(path);
  const auto written = create_file(temporary, bytes);
  if (!written) {
    std::error_code ignored;
    const std::string reason = last_error_text();
    fs::remove(temporary, ignored);
    return fail(ErrorCode::kIo, "cannot write '{}': {}{}", path.string(), reason, remedy_for(path));
  }
  return move_into_place(temporary, path);
}

Result<void> create_file(const Path& path, std::string_view bytes) {
  // "x": the C library's O_EXCL, which also refuses a symbolic link planted there.
  FileHandle file(std::fopen(path.c_str(), "wbx"));
  if (!file) {
    const bool exists = errno == EEXIST;
    return fail(exists ? ErrorCode::kUsage : ErrorCode::kIo, "cannot create '{}': {}",
                path.string(), last_error_text());
  }
  PYROMETER_TRY_VOID(write_all(file.get(), path, bytes));
  if (std::fclose(file.release()) != 0) {
    return fail(ErrorCode::kIo, "cannot write '{}': {}", path.string(), last_error_text());
  }
  return {};
}

}  // namespace pyrometer
