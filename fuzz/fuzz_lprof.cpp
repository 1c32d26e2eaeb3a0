// Reads anything as a file of line_profiler; what can be read must survive being written, added up
// and printed.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "formats/lprof_file.h"
#include "report/lines_text.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool recognised = pyrometer::looks_like_lprof(bytes);
  if (const auto file = pyrometer::read_lprof(bytes)) {
    const auto again = pyrometer::read_lprof(pyrometer::write_lprof(*file));
    PYROMETER_CHECK(again && *again == *file);
    PYROMETER_CHECK(recognised);
    const pyrometer::LprofFile files[] = {*file, *again};
    static_cast<void>(pyrometer::sum_lprof(files));
    // The names of functions, one per line, are as good a source as any.
    const auto read_names = [&](const std::string&) {
      std::vector<std::string> lines;
      for (const auto& function : file->functions) lines.push_back(function.name);
      return std::optional(lines);
    };
    const auto table = pyrometer::table_of(*file);
    static_cast<void>(pyrometer::lines_text(table, {.summarize = true, .rich = true}, read_names));
    static_cast<void>(pyrometer::lines_json(table, {.statements = true}, read_names));
  }
  return 0;
}
