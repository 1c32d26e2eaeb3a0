#include "base/pattern.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

bool matches(const char* pattern, const char* text) {
  const auto parsed = Pattern::parse(pattern);
  EXPECT_TRUE(parsed) << pattern;
  return parsed && parsed->matches(text);
}

TEST(Pattern, LineBreaksAsInPython) {
  EXPECT_TRUE(matches("b.d", "abcde"));
  EXPECT_FALSE(matches("b.d", "ab\nde"));
  EXPECT_TRUE(matches("(?s)b.d", "ab\nde"));
  EXPECT_FALSE(matches("^d", "ab\nde"));
  EXPECT_FALSE(matches("b$", "ab\nde"));
  EXPECT_TRUE(matches("(?m)^d", "ab\nde"));
}

TEST(Pattern, NamedGroupsOfPython) {
  EXPECT_TRUE(matches("(?P<letter>[a-z])-(?P=letter)$", "a-b-b"));
  EXPECT_FALSE(matches("(?P<letter>[a-z])-(?P=letter)$", "a-b-c"));
  EXPECT_TRUE(matches("\\(?P<", "(P<"));
}

TEST(Pattern, MalformedOnesAreErrors) {
  for (const char* pattern : {"(", "[z-a]", "*", "\\", "(?P<", "(?P=x)", "(?P"}) {
    const auto parsed = Pattern::parse(pattern);
    ASSERT_FALSE(parsed) << pattern;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace pyrometer
