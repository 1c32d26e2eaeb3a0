#include "store/tile.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "base/compression.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

void expect_round_trip(const std::vector<std::int64_t>& values, std::uint32_t planes) {
  const Tile tile = encode_tile(values);
  EXPECT_EQ(tile.planes, planes);
  std::vector<std::int64_t> decoded(values.size(), 77);
  ASSERT_TRUE(decode_tile(tile.scale, tile.planes, tile.data, decoded));
  EXPECT_EQ(decoded, values);
}

TEST(Tile, TakesAsManyPlanesAsTheLargestValueNeeds) {
  expect_round_trip({1, 0, -1, 127, -128}, 1);
  expect_round_trip({128, 1}, 2);
  expect_round_trip({-129, 5}, 2);
  expect_round_trip({32767, -32768}, 2);
  expect_round_trip({1'000'000'000, 3}, 4);
  expect_round_trip({kLargest, kSmallest, 0, -1}, 8);
}

TEST(Tile, IsDividedByWhatItsValuesHaveInCommon) {
  EXPECT_EQ(encode_tile(std::vector<std::int64_t>{0, -4000, 26'000, 1000}).scale, 1000);
  expect_round_trip({0, -4000, 26'000, 1000}, 1);
  expect_round_trip({kLargest}, 1);
  expect_round_trip({kSmallest}, 8);
  expect_round_trip({kSmallest, kSmallest / 2, 0}, 1);
}

TEST(Tile, AHostileScaleWraps) {
  const Tile tile = encode_tile(std::vector<std::int64_t>{3, -7});
  std::vector<std::int64_t> decoded(2);
  ASSERT_TRUE(decode_tile(kLargest, tile.planes, tile.data, decoded));
  EXPECT_FALSE(decode_tile(0, tile.planes, tile.data, decoded));
  EXPECT_FALSE(decode_tile(-1, tile.planes, tile.data, decoded));
}

TEST(Tile, KeepsRandomValuesOfEverySize) {
  std::mt19937_64 random(1);
  for (int bits = 1; bits < 64; ++bits) {
    std::vector<std::int64_t> values(64 * 256);
    for (std::int64_t& value : values) value = static_cast<std::int64_t>(random()) >> (64 - bits);
    const Tile tile = encode_tile(values);
    std::vector<std::int64_t> decoded(values.size());
    ASSERT_TRUE(decode_tile(tile.scale, tile.planes, tile.data, decoded));
    EXPECT_EQ(decoded, values) << bits;
  }
}

TEST(Tile, ZerosTakeNothing) {
  const Tile tile = encode_tile(std::vector<std::int64_t>(100));
  EXPECT_EQ(tile.planes, 0U);
  EXPECT_TRUE(tile.data.empty());
}

TEST(Tile, SimilarRanksAreNearlyFree) {
  EXPECT_LT(encode_tile(std::vector<std::int64_t>(64 * 256, 1'000'000)).data.size(), 100U);
}

TEST(Tile, HostileDataAreRefused) {
  const std::vector<std::int64_t> values{1, 2, 3, 400};
  const Tile tile = encode_tile(values);
  std::vector<std::int64_t> decoded(4);
  EXPECT_FALSE(decode_tile(1, 0, tile.data, decoded));
  EXPECT_FALSE(decode_tile(1, 1, tile.data, decoded));
  EXPECT_FALSE(decode_tile(1, 3, tile.data, decoded));
  EXPECT_FALSE(decode_tile(1, 9, tile.data, decoded));
  EXPECT_FALSE(decode_tile(1, 0xffffffff, tile.data, decoded));
  EXPECT_FALSE(decode_tile(1, 2, "", decoded));
  EXPECT_FALSE(decode_tile(1, 2, "not zstd at all", decoded));
  // More than the shape of the tile allows.
  EXPECT_FALSE(decode_tile(1, 2, compress(std::string(1 << 20, '\0')), decoded));
  for (std::size_t cut = 0; cut < tile.data.size(); ++cut) {
    EXPECT_FALSE(decode_tile(1, 2, tile.data.substr(0, cut), decoded)) << cut;
  }
}

}  // namespace
}  // namespace pyrometer
