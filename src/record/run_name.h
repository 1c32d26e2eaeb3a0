// Names of runs and files with places to fill in: "profile-%j-%h-%p.prof".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

struct NameParts {
  std::string script;     // %s
  std::string job;        // %j
  std::string host;       // %h
  std::uint64_t pid = 0;  // %p
  std::int32_t rank = 0;  // %r
};

// Usage error for a % that stands for nothing.
Result<void> check_name(std::string_view pattern);

// Whether "%<letter>" occurs.
bool names_part(std::string_view pattern, char letter);

// `pattern` must have passed check_name; `number` is %n. What comes from outside cannot leave
// its folder: a '/' in it becomes '_'.
std::string expand_name(std::string_view pattern, const NameParts& parts, std::uint64_t number);

// Fit for one name in a folder: without '/' and control characters, not too long, never empty.
std::string as_file_name(std::string_view text);

}  // namespace pyrometer
