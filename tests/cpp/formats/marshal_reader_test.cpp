#include "formats/marshal_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "formats/marshal_bytes.h"
#include "formats/marshal_text.h"

using namespace pyrometer;
using namespace pyrometer::marshal_bytes;

namespace {

ErrorCode error_of(const std::string& bytes) {
  const auto document = read_marshal(bytes);
  EXPECT_FALSE(document);
  return document ? ErrorCode::kIo : document.error().code;
}

std::int64_t integer_of(const std::string& bytes) {
  const auto document = read_marshal(bytes);
  EXPECT_TRUE(document);
  return document ? document->integer(document->root()) : 0;
}

double real_of(const std::string& bytes) {
  const auto document = read_marshal(bytes);
  EXPECT_TRUE(document);
  return document ? document->real(document->root()) : 0;
}

std::string text_of(const std::string& bytes) {
  const auto document = read_marshal(bytes);
  EXPECT_TRUE(document);
  return document ? std::string(document->text(document->root())) : "";
}

}  // namespace

TEST(MarshalReader, Integers) {
  EXPECT_EQ(integer_of(integer(-7)), -7);
  EXPECT_EQ(integer_of(integer(std::numeric_limits<std::int32_t>::min())), -2147483648);
  // As marshal.dumps writes 1 << 40, -(1 << 63) and (1 << 63) - 1.
  EXPECT_EQ(integer_of(from_hex("6c03000000000000000004")), std::int64_t{1} << 40);
  EXPECT_EQ(integer_of(from_hex("6cfbffffff00000000000000000800")),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer_of(from_hex("6c05000000ff7fff7fff7fff7f0700")),
            std::numeric_limits<std::int64_t>::max());
}

TEST(MarshalReader, IntegersBeyond64Bits) {
  EXPECT_EQ(error_of(from_hex("6c0500000000000000000000000800")), ErrorCode::kUnsupported);
  EXPECT_EQ(error_of(from_hex("6c050000000000000000000000ff7f")), ErrorCode::kUnsupported);
  EXPECT_EQ(error_of(from_hex("6c06000000000000000000000000000100")), ErrorCode::kUnsupported);
  EXPECT_EQ(error_of(from_hex("6c010000000080")), ErrorCode::kCorrupt);  // a digit of 16 bits
  EXPECT_EQ(error_of(from_hex("6c00000080")), ErrorCode::kCorrupt);      // 2^31 digits, negative
  EXPECT_EQ(error_of(from_hex("6cffffff7f0100")), ErrorCode::kCorrupt);
}

TEST(MarshalReader, Reals) {
  EXPECT_EQ(real_of(real(-0.5)), -0.5);
  EXPECT_EQ(real_of(std::string("f\x03") + "1.5"), 1.5);
  EXPECT_EQ(real_of(std::string("f\x17") + "-1.0000000000000001e-07"), -1.0000000000000001e-07);
  EXPECT_EQ(error_of(std::string("f\x03") + "1.x"), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(std::string("f\x00", 2)), ErrorCode::kCorrupt);
}

TEST(MarshalReader, EveryKindOfText) {
  EXPECT_EQ(text_of(text("Größe")), "Größe");
  EXPECT_EQ(text_of(with_u32('t', 2, "ab")), "ab");
  EXPECT_EQ(text_of(with_u32('a', 2, "ab")), "ab");
  EXPECT_EQ(text_of(with_u32('A', 2, "ab")), "ab");
  EXPECT_EQ(text_of("z\x02"
                    "ab"),
            "ab");
  EXPECT_EQ(text_of("Z\x02"
                    "ab"),
            "ab");
  EXPECT_EQ(text_of(with_u32('s', 2, "\xff\xfe")), "\xff\xfe");
}

TEST(MarshalReader, LoneSurrogatesAreKept) {
  EXPECT_EQ(text_of(text("\xed\xa0\x80x")), "\xed\xa0\x80x");
  EXPECT_EQ(text_of(text("\xed\xbf\xbf")), "\xed\xbf\xbf");
}

TEST(MarshalReader, TextThatPythonRefuses) {
  for (const char* bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xff",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xe2\x28\xa1"}) {
    EXPECT_EQ(error_of(text(bad)), ErrorCode::kCorrupt);
    EXPECT_TRUE(is_marshal_text(to_marshal_text(bad)));
  }
  EXPECT_EQ(error_of("z\x02\xc3\xa4"), ErrorCode::kCorrupt);
  EXPECT_EQ(to_marshal_text("a\xff\xed\xa0\x80"), "a\xef\xbf\xbd\xed\xa0\x80");
}

TEST(MarshalReader, Containers) {
  const std::string bytes = with_u32(
      '[', 4,
      joined({"N", "T", dict({text("k"), tuple({"F", integer(1)})}), std::string(")\0", 2)}));
  const auto document = read_marshal(bytes);
  ASSERT_TRUE(document);
  const auto list = document->elements(document->root());
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(document->kind(list[0]), MarshalKind::kNone);
  EXPECT_EQ(document->kind(list[1]), MarshalKind::kTrue);
  EXPECT_EQ(document->kind(list[2]), MarshalKind::kDict);
  EXPECT_EQ(document->offset(list[2]), 7U);
  const auto entry = document->elements(list[2]);
  ASSERT_EQ(entry.size(), 2U);
  EXPECT_EQ(document->text(entry[0]), "k");
  const auto pair = document->elements(entry[1]);
  ASSERT_EQ(pair.size(), 2U);
  EXPECT_EQ(document->kind(pair[0]), MarshalKind::kFalse);
  EXPECT_EQ(document->integer(pair[1]), 1);
  EXPECT_EQ(document->elements(list[3]).size(), 0U);
}

TEST(MarshalReader, ReferencesNumberAContainerBeforeItsElements) {
  // [inner := (first := "a",), first, inner], where the list itself is number 0.
  const std::string inner = flagged(tuple({flagged(text("a"))}));
  const std::string bytes = flagged(with_u32('[', 3, joined({inner, reference(2), reference(1)})));
  const auto document = read_marshal(bytes);
  ASSERT_TRUE(document);
  const auto list = document->elements(document->root());
  EXPECT_EQ(document->text(list[1]), "a");
  EXPECT_EQ(list[2], list[0]);
}

TEST(MarshalReader, BadReferences) {
  EXPECT_EQ(error_of(reference(0)), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(tuple({flagged(text("a")), reference(1)})), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(reference(0xffffffff)), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(flagged(with_u32('[', 1, reference(0)))), ErrorCode::kUnsupported);  // a cycle
}

TEST(MarshalReader, OtherTypes) {
  for (const char type : std::string("c<>xy.S:}")) {
    EXPECT_EQ(error_of(with_u32(type, 0)), ErrorCode::kUnsupported) << type;
  }
  EXPECT_EQ(error_of("0"), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of("q"), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(""), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of("NN"), ErrorCode::kCorrupt);
}

TEST(MarshalReader, NestingIsLimited) {
  const auto nested = [](std::size_t levels) {
    std::string bytes;
    for (std::size_t i = 0; i < levels; ++i) bytes += ")\x01";
    return bytes + "N";
  };
  EXPECT_TRUE(read_marshal(nested(200)));
  EXPECT_EQ(error_of(nested(201)), ErrorCode::kTooLarge);
  EXPECT_EQ(error_of(nested(1'000'000)), ErrorCode::kTooLarge);
}

TEST(MarshalReader, ClaimsBeyondTheEnd) {
  for (const char type : std::string("([uatAs")) {
    for (const std::uint32_t claim : {2U, 0x0fffffffU, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
      EXPECT_EQ(error_of(with_u32(type, claim, "N")), ErrorCode::kCorrupt) << type << claim;
    }
  }
  EXPECT_EQ(error_of(text(std::string((1U << 20) + 1, 'a'))), ErrorCode::kTooLarge);
}
