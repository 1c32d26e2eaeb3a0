// Reads anything as collapsed stacks, whole and in pieces: both must say the same, and nothing may
// be lost.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check_profile.h"
#include "load/collapsed.h"

namespace {

using namespace pyrometer;

Result<CollapsedFile> read(std::string_view bytes, std::size_t piece) {
  CollapsedReader reader;
  while (!bytes.empty()) {
    if (auto added = reader.add(bytes.substr(0, piece)); !added) {
      return tl::unexpected(added.error());
    }
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return reader.finish();
}

std::int64_t sum(const CollapsedFile& file) {
  std::int64_t total = 0;
  for (const auto& values : file.values) total += values.value;
  return total;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(looks_like_collapsed(bytes));
  const auto whole = read(bytes, bytes.size());
  const auto pieces = read(bytes, 7);
  PYROMETER_CHECK(whole.has_value() == pieces.has_value());
  if (!whole) return 0;
  PYROMETER_CHECK(whole->frames == pieces->frames && whole->nodes.size() == pieces->nodes.size());
  PYROMETER_CHECK(sum(*whole) == sum(*pieces));
  if (const auto profile = load_collapsed(*whole)) check_profile(*profile);
  return 0;
}
