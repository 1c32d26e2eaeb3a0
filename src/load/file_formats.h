// Every format that can be loaded: what it is called, how it is recognised and who reads it.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "profile/detail.h"
#include "profile/profile.h"

namespace pyrometer {

struct FileFormat {
  std::string_view name;  // that of the exporter where there is one
  bool (*recognises)(std::string_view prefix) = nullptr;
  // From a path, or from all bytes of a file; the latter also out of gzip files.
  Result<Profile> (*load)(const Path& path, Detail detail, const Progress& progress) = nullptr;
  Result<Profile> (*load_bytes)(std::string_view bytes, Detail detail) = nullptr;
};

// The format of a file, by its content; an error when there is none. A folder is a recording.
Result<const FileFormat*> recognise(const Path& path);

// Loads a file by what it begins with; a gzip file by what is in it.
Result<Profile> load_by_content(const Path& path, Detail detail, const Progress& progress);

}  // namespace pyrometer
