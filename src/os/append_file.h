// The file behind a recording: created new, for its owner only, and written by whole
// pieces straight to the kernel, so that what was appended survives the process. A program
// that closes every descriptor loses nothing: the file is opened again by its name.
#pragma once

#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "os/high_descriptor.h"

namespace pyrometer {

class AppendFile {
 public:
  // Makes the folder if needed. Refuses a path that exists, a planted symbolic link included.
  static Result<AppendFile> create(const Path& path);

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  // One write of all bytes where the kernel takes them at once. After an error nothing more is
  // written: the file keeps a readable beginning.
  Result<void> append(std::string_view bytes);

  const Path& path() const { return path_; }

 private:
  AppendFile(Path path, int fd);
  bool open_again();

  Path path_;
  int fd_;
  FileIdentity identity_;
  bool failed_ = false;
};

}  // namespace pyrometer
