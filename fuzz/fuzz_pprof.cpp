// Reads anything as a pprof file, as it is or out of gzip.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/gzip.h"
#include "check_profile.h"
#include "load/pprof.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pyrometer;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(looks_like_pprof(bytes));
  if (const auto profile = load_pprof_bytes(bytes)) check_profile(*profile);
  constexpr std::size_t kMost = 1U << 20;
  if (const auto plain = inflate_gzip(bytes, kMost)) {
    PYROMETER_CHECK(plain->size() <= kMost);
    if (const auto profile = load_pprof_bytes(*plain)) check_profile(*profile);
  }
  return 0;
}
