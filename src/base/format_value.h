// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

#include "base/kinds.h"

namespace pyrometer {

std::string format_value(Unit unit, std::int64_t value);  // "3.91 s", "4.2 MiB", "1,234"
std::string format_count(std::int64_t value);             // "1,234,567"
std::string format_percent(double share);                 // "58.1 %"

// "1 process", "3 processes"
std::string format_plural(std::size_t count, const char* one, const char* many);

}  // namespace pyrometer
