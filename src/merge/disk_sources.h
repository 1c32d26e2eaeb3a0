// The text of the source files that a recording names, taken from the disk while they are there: a
// merged file is carried to where they are not.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "profile/profile.h"

namespace pyrometer {

class DiskSources {
 public:
  // Adds to the profile's sources: all files of the user's own, and a library's where the process
  // was hot. Not what was changed after the process began, as it did not run that. What is added
  // depends on this one process, so it does not matter what is merged first.
  void add_to(Profile& profile);

 private:
  struct File {
    bool is_there = false;
    std::int64_t changed = 0;  // ns since 1970
    std::uint64_t size = 0;
    bool is_taken = false;  // its text was added to an earlier profile
  };
  File& look_up(const std::string& path);

  std::map<std::string, File> files_;
};

}  // namespace pyrometer
