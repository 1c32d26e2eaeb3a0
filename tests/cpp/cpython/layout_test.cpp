#include "cpython/layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace pyrometer {
namespace {

constexpr std::uint32_t kVersion = 0x030e0af0;

std::vector<char> runtime_of(std::uint64_t version, std::uint64_t is_free_threaded) {
  std::vector<std::uint64_t> words(128, 40);
  std::memcpy(words.data(), "xdebugpy", 8);
  words[1] = version;
  words[2] = is_free_threaded;
  std::vector<char> bytes(words.size() * 8);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST(Layout, KnowsItsVersionsAndNoOthers) {
  EXPECT_EQ(layout_for(0x030b02f0, {})->chain_end, ChainEnd::kEntryFlag);
  EXPECT_EQ(layout_for(0x030c01f0, {})->chain_end, ChainEnd::kEntryFrame);
  EXPECT_TRUE(layout_for(kVersion, runtime_of(kVersion, 0)));
  EXPECT_FALSE(layout_for(0x030a00f0, {}));
  EXPECT_FALSE(layout_for(0x031000f0, runtime_of(0x031000f0, 0)));
  EXPECT_FALSE(layout_for(0x040b00f0, {}));
}

TEST(Layout, RefusesWhatDoesNotFitItself) {
  EXPECT_FALSE(layout_for(kVersion, {}));
  EXPECT_FALSE(layout_for(kVersion, runtime_of(kVersion + 0x100, 0)));
  EXPECT_FALSE(layout_for(kVersion, runtime_of(kVersion, 1)));
  auto without_cookie = runtime_of(kVersion, 0);
  without_cookie[0] = 'y';
  EXPECT_FALSE(layout_for(kVersion, without_cookie));
  auto impossible = runtime_of(kVersion, 0);
  std::memset(impossible.data() + 26 * 8, 0x7f, 8);
  EXPECT_FALSE(layout_for(kVersion, impossible));
}

}  // namespace
}  // namespace pyrometer
