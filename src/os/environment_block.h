// The variables that a child gets: ours byte for byte and in order, with a few set anew.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyrometer {

class EnvironmentBlock {
 public:
  // A copy of this process's own.
  static EnvironmentBlock of_this_process();

  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);

  // For exec; valid until the block changes.
  std::vector<char*> pointers();

 private:
  std::vector<std::string> variables_;  // "NAME=value"
};

}  // namespace pyrometer
