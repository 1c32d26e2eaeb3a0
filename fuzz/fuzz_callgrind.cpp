// Reads anything as a callgrind file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check_profile.h"
#include "load/callgrind.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pyrometer;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(looks_like_callgrind(bytes));
  if (const auto profile = load_callgrind_bytes(bytes)) check_profile(*profile);
  return 0;
}
