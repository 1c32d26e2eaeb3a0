// Files made to break a reader: each must end soon, in an error or in something small.
#include <gtest/gtest.h>

#include <ctime>

#include "formats/marshal_bytes.h"
#include "formats/marshal_reader.h"
#include "formats/pstats_file.h"
#include "formats/real_files.h"

using namespace pyrometer;
using namespace pyrometer::marshal_bytes;

namespace {

class HostilePstats : public testing::Test {
 protected:
  // Of CPU time, and generous for a sanitizer build; the blow-ups below would take hours.
  void TearDown() override { EXPECT_LT(std::clock() - start_, 20 * CLOCKS_PER_SEC); }

 private:
  std::clock_t start_ = std::clock();
};

std::string repeated(const std::string& part, std::size_t times) {
  std::string whole;
  for (std::size_t i = 0; i < times; ++i) whole += part;
  return whole;
}

}  // namespace

TEST_F(HostilePstats, CutAnywhereIsAnError) {
  for (const std::string& whole : {cprofile_file(), sampled_file()}) {
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      // On the heap and of exactly this size, for the address sanitizer.
      const std::vector<char> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
      const auto file = read_pstats({part.data(), part.size()});
      ASSERT_FALSE(file) << cut;
      EXPECT_EQ(file.error().code, ErrorCode::kCorrupt) << cut << file.error().message;
      looks_like_pstats({part.data(), part.size()});
    }
  }
}

TEST_F(HostilePstats, EveryByteChangedNeverCrashes) {
  for (const std::string& whole : {cprofile_file(), sampled_file()}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const char byte : {'\0', '\x7f', '\x80', '\xff', '(', '[', '{', 'r', '0', 'l'}) {
        std::string changed = whole;
        changed[i] = byte;
        if (const auto file = read_pstats(changed)) {
          const auto again = read_pstats(write_pstats(*file));
          EXPECT_TRUE(again && *again == *file) << i;
        }
      }
    }
  }
}

TEST_F(HostilePstats, FiveBytesThatClaimTwoGigabytes) {
  EXPECT_FALSE(read_pstats(from_hex("28ffffff0f")));
  EXPECT_FALSE(read_pstats(from_hex("7b28ffffff0f")));
  EXPECT_FALSE(read_pstats(from_hex("5bffffff7f")));
}

TEST_F(HostilePstats, ManyNestedClaims) {
  // Each level claims as many elements as there are bytes left.
  EXPECT_FALSE(read_pstats("{" + repeated(from_hex("28e8030000"), 190) + std::string(2000, 'N')));
}

TEST_F(HostilePstats, BillionLaughsStayShared) {
  // (("ha", "ha"), that, that), ... : 2^100 texts if it were spelled out.
  std::string laughs = flagged(text("ha"));
  for (std::uint32_t level = 0; level < 100; ++level) {
    laughs += flagged(tuple({reference(level), reference(level)}));
  }
  const std::string list = with_u32('[', 101, laughs);
  const auto document = read_marshal(list);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_LT(document->size(), 110U);
  EXPECT_FALSE(read_pstats(dict({list, list})));
  // The only value that is not looked at is that of the mark of sampled files.
  EXPECT_TRUE(read_pstats(dict({tuple({text("__sampled__")}), list})));
}

TEST_F(HostilePstats, SharedCallersDoNotMultiply) {
  // 100,000 entries that all refer to the same 100,000 callers.
  const std::string f = flagged(tuple({text("a"), integer(1), text("f")}));  // number 0
  const std::string callers = "{" + repeated(reference(0) + integer(1), 100'000) + "0";
  const std::string first = f + flagged(statistics(1, 1, 0, 0, callers));  // number 1
  const auto file = read_pstats("{" + first + repeated(reference(0) + reference(1), 100'000) + "0");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kTooLarge);
}

TEST_F(HostilePstats, SharedTextsDoNotMultiply) {
  // 100,000 functions with the same megabyte of name.
  const std::string name = flagged(text(std::string(1U << 20, 'x')));
  std::string entries = tuple({name, integer(0), reference(0)}) + flagged(statistics(1, 1, 0, 0));
  for (std::int32_t line = 1; line < 100'000; ++line) {
    entries += tuple({reference(0), integer(line), reference(0)}) + reference(1);
  }
  const auto file = read_pstats("{" + entries + "0");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kTooLarge);
}

TEST_F(HostilePstats, RepeatedLabelsWithLongTextsAreReadOnce) {
  // One function in 100,000 entries: its megabyte of name must not be compared each time.
  const std::string name = flagged(text(std::string(1U << 20, 'x')));
  std::string entries = tuple({name, integer(0), reference(0)}) + flagged(statistics(1, 1, 0, 0));
  entries += repeated(tuple({reference(0), integer(0), reference(0)}) + reference(1), 100'000);
  const auto file = read_pstats("{" + entries + "0");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->functions.size(), 1U);
  EXPECT_EQ(file->functions[0].cost.calls, 100'001);
}
