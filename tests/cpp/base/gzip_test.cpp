#include "base/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace pyrometer {
namespace {

std::string gzip_of(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()), '\0');
  std::string input(text);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

constexpr std::size_t kPlenty = 1U << 24;

TEST(Gzip, InflatesWhatWasDeflated) {
  for (const std::size_t size : {0U, 1U, 65'536U, 65'537U, 1'000'000U}) {
    const std::string text(size, 'x');
    EXPECT_TRUE(looks_like_gzip(gzip_of(text)));
    EXPECT_EQ(inflate_gzip(gzip_of(text), kPlenty).value(), text) << size;
    EXPECT_EQ(inflate_gzip(gzip_of(text), size).value(), text) << size;
  }
  EXPECT_FALSE(looks_like_gzip("\x1f\x8b"));
  EXPECT_FALSE(looks_like_gzip("main;solve 12\n"));
}

TEST(Gzip, SeveralMembersAreOneTextAndPaddingIsNone) {
  const std::string two = gzip_of("one ") + gzip_of("two") + std::string(512, '\0');
  EXPECT_EQ(inflate_gzip(two, kPlenty).value(), "one two");
}

TEST(Gzip, MoreThanTheLimitIsAnError) {
  const std::string bomb = gzip_of(std::string(kPlenty, '\0'));
  EXPECT_LT(bomb.size(), kPlenty / 900);
  for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, kPlenty - 1}) {
    const auto refused = inflate_gzip(bomb, limit);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
  }
  const auto second_member = inflate_gzip(gzip_of("1234") + gzip_of("5"), 4);
  EXPECT_EQ(second_member.error().code, ErrorCode::kTooLarge);
}

TEST(Gzip, CutAnywhereIsAnError) {
  const std::string whole = gzip_of("main;solve 12\nmain;dot 3\n");
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const auto inflated = inflate_gzip(whole.substr(0, cut), kPlenty);
    ASSERT_FALSE(inflated) << cut;
    EXPECT_EQ(inflated.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Gzip, ADamagedByteIsAnError) {
  std::string bytes = gzip_of(std::string(1000, 'x'));
  bytes[bytes.size() - 6] ^= 1;  // of the checksum
  const auto inflated = inflate_gzip(bytes, kPlenty);
  ASSERT_FALSE(inflated);
  EXPECT_NE(inflated.error().message.find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer
