// The name of a merged file with its places filled in: "sum-%j-%n.prof".
#pragma once

#include <span>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace pyrometer {

// %s is the first input's name up to its first dot, %n the first number whose file does not exist.
// A name of one file has no place for a rank.
Result<std::string> expand_merge_name(const std::string& pattern, std::span<const Path> inputs);

}  // namespace pyrometer
