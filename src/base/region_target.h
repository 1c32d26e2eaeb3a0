// A function to be timed although its source cannot be edited: NAME=module:function.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

struct RegionTarget {
  std::string name;      // of the region
  std::string module;    // as it is imported; __main__: the script, or what -m runs
  std::string function;  // in it, as Class.method for methods

  std::string place() const { return module + ":" + function; }
};

Result<RegionTarget> parse_region_target(std::string_view text);

}  // namespace pyrometer
