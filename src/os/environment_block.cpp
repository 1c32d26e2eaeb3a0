#include "os/environment_block.h"

#include <unistd.h>

#include <algorithm>

namespace pyrometer {
namespace {

bool is_named(std::string_view variable, std::string_view name) {
  return variable.starts_with(name) && variable.substr(name.size()).starts_with('=');
}

}  // namespace

EnvironmentBlock EnvironmentBlock::of_this_process() {
  EnvironmentBlock block;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    block.variables_.emplace_back(*variable);
  }
  return block;
}

void EnvironmentBlock::set(std::string_view name, std::string_view value) {
  std::string variable = std::string(name) + "=" + std::string(value);
  const auto is_it = [name](const std::string& other) { return is_named(other, name); };
  const auto found = std::find_if(variables_.begin(), variables_.end(), is_it);
  if (found == variables_.end()) {
    variables_.push_back(std::move(variable));
  } else {
    *found = std::move(variable);
  }
}

void EnvironmentBlock::remove(std::string_view name) {
  std::erase_if(variables_, [name](const std::string& other) { return is_named(other, name); });
}

std::vector<char*> EnvironmentBlock::pointers() {
  std::vector<char*> pointers;
  for (std::string& variable : variables_) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace pyrometer
