// Positions of a profile as TAU knows them: paths of functions, whatever their lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct TauPath {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t parent = kNone;  // has a smaller index
  FunctionId function;
  bool is_outermost = true;  // the function is not running further up
};

struct TauPaths {
  std::vector<TauPath> paths;
  std::vector<std::uint32_t> of_node;  // by node
};

TauPaths make_tau_paths(const Profile& profile);

// "solve [{/home/user/wave.py} {12}]", without what would end a name for TAU's readers.
std::string tau_name(const Profile& profile, const Function& function);
// The group of a function: TAU_PYTHON, MPI, TAU_USER.
std::string tau_group(const Profile& profile, const Function& function);

}  // namespace pyrometer
