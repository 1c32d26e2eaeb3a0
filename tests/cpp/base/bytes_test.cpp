#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace pyrometer {
namespace {

TEST(Bytes, EveryFieldComesBackAsWritten) {
  const std::uint64_t numbers[] = {
      0, 1, 127, 128, 300, 1ULL << 32, std::numeric_limits<std::uint64_t>::max()};
  const std::int64_t signed_numbers[] = {0,
                                         -1,
                                         1,
                                         -64,
                                         64,
                                         std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max()};
  ByteWriter out;
  out.u8(7);
  out.u16(0xabcd);
  out.u32(0xdeadbeef);
  out.u64(0x0123456789abcdef);
  for (const auto number : numbers) out.varint(number);
  for (const auto number : signed_numbers) out.signed_varint(number);
  out.sized_bytes("text");
  ByteReader in(out.bytes());
  EXPECT_EQ(in.u8(), 7);
  EXPECT_EQ(in.u16(), 0xabcd);
  EXPECT_EQ(in.u32(), 0xdeadbeef);
  EXPECT_EQ(in.u64(), 0x0123456789abcdef);
  for (const auto number : numbers) EXPECT_EQ(in.varint(), number);
  for (const auto number : signed_numbers) EXPECT_EQ(in.signed_varint(), number);
  EXPECT_EQ(in.sized_bytes(), "text");
  EXPECT_TRUE(in.done());
}

TEST(Bytes, FixedNumbersAreLittleEndian) {
  ByteWriter out;
  out.u32(0x04030201);
  EXPECT_EQ(out.bytes(), "\x01\x02\x03\x04");
}

TEST(Bytes, ReadingPastTheEndFailsForGood) {
  ByteReader in("ab");
  EXPECT_EQ(in.u32(), 0U);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.u8(), 0);
  EXPECT_FALSE(in.ok());
}

TEST(Bytes, OverlongVarintIsRefused) {
  ByteReader eleven_bytes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  eleven_bytes.varint();
  EXPECT_FALSE(eleven_bytes.ok());
  ByteReader beyond_64_bits("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
  beyond_64_bits.varint();
  EXPECT_FALSE(beyond_64_bits.ok());
  ByteReader cut("\x80");
  cut.varint();
  EXPECT_FALSE(cut.ok());
}

TEST(Bytes, VarintBeyond32BitsIsRefusedWhereARowIsMeant) {
  ByteWriter out;
  out.varint(1ULL << 32);
  ByteReader in(out.bytes());
  in.varint32();
  EXPECT_FALSE(in.ok());
}

TEST(Bytes, CountLargerThanTheBytesThatFollowIsRefused) {
  ByteWriter out;
  out.varint(1'000'000'000);
  out.raw("tiny");
  ByteReader in(out.bytes());
  EXPECT_EQ(in.count(1), 0U);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace pyrometer
