// Portable files: what the reading half of Pyrometer needs, without an operating
// system's header. Every error names the file and the remedy.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

using Path = std::filesystem::path;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

// Opens a regular file for reading; a directory, a device or a pipe is an error.
Result<FileHandle> open_for_reading(const Path& path);

// The whole file; larger than `limit` is an error before anything is read.
Result<std::string> read_file(const Path& path, std::uint64_t limit);

// The first bytes of a file, to recognise its format.
Result<std::string> read_prefix(const Path& path, std::size_t size);

// Replaces `path` whole or leaves it as it was: written beside it, then renamed. A device or a pipe
// is written to.
Result<void> write_file(const Path& path, std::string_view bytes);

// Creates `path` with `bytes`, or fails with kUsage when something is there already.
Result<void> create_file(const Path& path, std::string_view bytes);

// A path beside `path` that nobody else uses, for writing before a rename.
Path temporary_beside(const Path& path);

// Moves a finished temporary over `path`; removes it when that fails.
Result<void> move_into_place(const Path& temporary, const Path& path);

// "no such file or directory": the reason of the last failed system call.
std::string last_error_text();

}  // namespace pyrometer
