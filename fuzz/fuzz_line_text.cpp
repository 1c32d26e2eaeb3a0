// Reads anything as text with tables of line_profiler or memory_profiler; what can be read must
// load, and what loads must print.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyze/function_lines.h"
#include "analyze/memory_lines.h"
#include "base/check.h"
#include "load/line_text.h"
#include "report/lines_text.h"
#include "report/memory_lines_text.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto profile = pyrometer::load_line_text(text);
  const bool has_colors = text.find('\x1b') != std::string_view::npos;
  PYROMETER_CHECK(has_colors || profile.has_value() == pyrometer::has_line_tables(text));
  if (!profile) return 0;
  const auto no_source = [](const std::string&) {
    return std::optional<std::vector<std::string>>();
  };
  static_cast<void>(pyrometer::lines_text(pyrometer::make_function_lines(*profile), {}, no_source));
  static_cast<void>(
      pyrometer::memory_lines_text(pyrometer::make_memory_lines(*profile), no_source));
  return 0;
}
