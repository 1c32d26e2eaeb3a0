// Reads anything as a file of mprof; what can be read must load, and its peaks must be found.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyze/counters.h"
#include "formats/mprof_file.h"
#include "load/mprof.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(pyrometer::looks_like_mprof(text));
  if (const auto file = pyrometer::read_mprof(text)) {
    static_cast<void>(pyrometer::make_counter_overview(pyrometer::load_mprof(*file)));
  }
  return 0;
}
