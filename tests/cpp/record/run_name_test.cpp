#include "record/run_name.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

const NameParts kParts{.script = "wave", .job = "4711.0", .host = "node07", .pid = 42, .rank = 3};

TEST(RunName, EveryPart) {
  EXPECT_EQ(expand_name("p-%j-%h-%p-%r-%n-%s-100%%.prof", kParts, 9),
            "p-4711.0-node07-42-3-9-wave-100%.prof");
  EXPECT_EQ(expand_name("plain", kParts, 1), "plain");
  EXPECT_EQ(expand_name("%%p", kParts, 1), "%p");
}

TEST(RunName, UnknownPartsAreRefused) {
  for (const char* name : {"%x", "a%", "%", "%%%", "%S"}) {
    const auto checked = check_name(name);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
  }
  EXPECT_TRUE(check_name(""));
  EXPECT_TRUE(check_name("%j%h%p%r%n%s%%"));
}

TEST(RunName, KnowsItsParts) {
  EXPECT_TRUE(names_part("a-%p", 'p'));
  EXPECT_FALSE(names_part("a-%%p", 'p'));
  EXPECT_FALSE(names_part("p", 'p'));
}

TEST(RunName, NothingFromOutsideLeavesItsFolder) {
  EXPECT_EQ(expand_name("%s", {.script = "../../etc"}, 1), ".._.._etc");
  EXPECT_EQ(as_file_name("a\nb\x7f"), "a_b_");
  EXPECT_EQ(as_file_name(""), "_");
  EXPECT_EQ(as_file_name(std::string(1000, 'x')).size(), 100U);
}

}  // namespace
}  // namespace pyrometer
