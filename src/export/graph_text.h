// What stands in the boxes of a call graph: names made shorter, and times as the user wants them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

// "std::sort<int*>(int*, int*) const" is "std::sort": without parameters, template arguments and a
// trailing const. What Python puts in angle brackets, "<module>" or "<lambda>", stays.
std::string strip_parameters(std::string_view name);

// Lines of at most 32 characters where the name can be broken: at spaces and behind . : / , -
std::string wrap_name(std::string_view name);

// At most 4,096 bytes, with an ellipsis: Graphviz refuses longer strings than 16 KiB.
std::string bound_name(std::string_view name);

// A printf format for one number, such as "%.7g" or "%.3f s"; checked once, then safe to use.
class TimeFormat {
 public:
  static Result<TimeFormat> parse(std::string_view text);

  std::string operator()(double value) const;

 private:
  std::string before_, conversion_ = "%.7g", after_;
};

}  // namespace pyrometer
