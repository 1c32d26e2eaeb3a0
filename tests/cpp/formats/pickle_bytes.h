// Pickles put together by hand.
#pragma once

#include <string>
#include <string_view>

#include "formats/lprof_file.h"

namespace pyrometer::pickle_bytes {

inline std::string text(std::string_view value) {
  return std::string("\x8c") + static_cast<char>(value.size()) + std::string(value);
}
inline std::string class_name(std::string_view module, std::string_view name) {
  return text(module) + text(name) + "\x93";
}
inline std::string line_stats() { return class_name("line_profiler.line_profiler", "LineStats"); }

// LineStats with this pickled dict of timings.
inline std::string pickle_of(const std::string& timings) {
  return "\x80\x04" + line_stats() + ")\x81}(" + text("timings") + timings + text("unit") +
         std::string("G\x3e\x11\x2e\x0b\xe8\x26\xd6\x95", 9) + "ub.";
}
inline std::string label() { return text("a.py") + "K\x01" + text("f") + "\x87"; }
inline std::string one_line() { return "K\x02K\x03K\x04\x87"; }

inline LprofFile small_file() {
  return {.functions = {{"/work/a.py", 3, "outer.<locals>.f", {{4, 10, 123456}, {5, 1, 7}}},
                        {"/work/a.py", 70'000, "g", {{70'001, 1LL << 40, -(1LL << 50)}}},
                        {"b.py", 1, "never", {}}},
          .unit = 1e-9};
}

}  // namespace pyrometer::pickle_bytes
