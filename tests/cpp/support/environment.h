// The variables of a process that does not exist.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "os/launch_identity.h"

namespace pyrometer::testing {

inline Environment variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace pyrometer::testing
