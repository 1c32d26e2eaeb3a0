// The text of source lines of profiles that are gone: kept where it was recorded, else read from
// the disk.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

class RunSources {
 public:
  // Keeps the texts that came with the profile.
  void add(const Profile& profile);

  // Whether the text is as it ran; a file may have been edited since.
  bool is_recorded(const std::string& path) const { return recorded_.contains(path); }

  // Without a line break or blanks at the end; empty when the source cannot be had.
  std::string line(const std::string& path, std::uint32_t number);
  // Without indentation, too.
  std::string stripped_line(const std::string& path, std::uint32_t number);

 private:
  std::map<std::string, std::vector<std::string>> recorded_, on_disk_;
};

}  // namespace pyrometer
