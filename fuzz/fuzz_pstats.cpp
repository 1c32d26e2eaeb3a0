// Reads anything as a cProfile file; what can be read must survive being written.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "formats/pstats_file.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool recognised = pyrometer::looks_like_pstats(bytes);
  if (const auto file = pyrometer::read_pstats(bytes)) {
    const auto again = pyrometer::read_pstats(pyrometer::write_pstats(*file));
    PYROMETER_CHECK(again && *again == *file);
    PYROMETER_CHECK(recognised);
  }
  return 0;
}
