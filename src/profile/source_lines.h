// The text of source lines: as recorded with the profile, else from the disk.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

class SourceLines {
 public:
  explicit SourceLines(const Profile& profile) : profile_(profile) {}

  // Without indentation; empty when the source cannot be had.
  std::string line(StringId file, std::uint32_t number);

  // All of them as they are; none when the source cannot be had.
  const std::vector<std::string>& lines(StringId file);

 private:
  const Profile& profile_;
  std::map<StringId, std::vector<std::string>> files_;
};

// The lines of a file by its name: as recorded, else from the disk; nothing when it cannot be had.
std::optional<std::vector<std::string>> source_of(const Profile& profile, const std::string& file);

}  // namespace pyrometer
