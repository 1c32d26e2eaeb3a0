// Reads anything as a TAU profile, or as ParaProf's packed one behind its gzip; what can be read
// must load and survive being written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "load/tau.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  pyrometer::TauTextReader reader;
  if (reader.add(bytes, {})) {
    const pyrometer::TauProfile tau = reader.take();
    static_cast<void>(pyrometer::load_tau(tau));
    pyrometer::TauTextReader again;
    PYROMETER_CHECK(again.add(pyrometer::write_tau_text(tau, tau.threads[0], 0), {}));
  }
  if (const auto tau = pyrometer::read_ppk(bytes)) {
    static_cast<void>(pyrometer::load_tau(*tau));
    if (const auto packed = pyrometer::write_ppk(*tau)) {
      PYROMETER_CHECK(pyrometer::read_ppk(*packed));
    }
  }
  return 0;
}
