// Reads anything as a cProfile file; what can be read must survive being written, added up,
// stripped of its folders and printed.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "formats/pstats_file.h"
#include "formats/pstats_sum.h"
#include "report/pstats_text.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool recognised = pyrometer::looks_like_pstats(bytes);
  if (const auto file = pyrometer::read_pstats(bytes)) {
    const auto again = pyrometer::read_pstats(pyrometer::write_pstats(*file));
    PYROMETER_CHECK(again && *again == *file);
    PYROMETER_CHECK(recognised);
    pyrometer::PstatsSummer summer;
    summer.add(*file);
    PYROMETER_CHECK(summer.finish().file == *file);
    const pyrometer::PstatsFile stripped = pyrometer::strip_directories(*file);
    const std::vector<std::string> keys{"nfl", "time"};
    const pyrometer::PstatsSelection selection{.order = *pyrometer::parse_sort_order(keys)};
    static_cast<void>(pyrometer::pstats_callers_text(stripped, selection));
    static_cast<void>(pyrometer::pstats_callees_text(*file, {}));
  }
  return 0;
}
