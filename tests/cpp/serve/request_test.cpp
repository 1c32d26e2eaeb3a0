#include "serve/request.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

TEST(Request, IsTakenApart) {
  const auto request = parse_request("api/0/values?metric=gil-wait&region=a%20%C3%A9+b&to=&x");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, (std::vector<std::string>{"api", "0", "values"}));
  EXPECT_EQ(request->parameter("metric"), "gil-wait");
  EXPECT_EQ(request->parameter("region"), "a \xc3\xa9 b");
  EXPECT_EQ(request->parameter("to"), std::nullopt);
  EXPECT_EQ(request->parameter("x"), std::nullopt);
  EXPECT_EQ(request->parameter("from"), std::nullopt);
}

TEST(Request, BrokenEscapesAreRefused) {
  for (const char* target : {"a%", "a%2", "a%zz", "a?b=%", "a?%4=1"}) {
    const auto request = parse_request(target);
    ASSERT_FALSE(request) << target;
    EXPECT_EQ(status_of(request.error().code), 400);
  }
}

TEST(Request, DotsAndSlashesAreOnlyText) {
  const auto request = parse_request("..%2f..%2fetc/passwd");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, (std::vector<std::string>{"../../etc", "passwd"}));
}

TEST(Request, NumbersAndWordsAreChecked) {
  const auto request = parse_request("x?most=12&bad=-1&large=99&by=total");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->number("most", 5, 100), 12U);
  EXPECT_EQ(request->number("none", 5, 100), 5U);
  EXPECT_FALSE(request->number("bad", 5, 100));
  EXPECT_FALSE(request->number("large", 5, 50));
  EXPECT_EQ(request->word("by", {"self", "total"}), "total");
  EXPECT_EQ(request->word("none", {"self", "total"}), "self");
  EXPECT_FALSE(request->word("by", {"self", "other"}));
}

TEST(Request, ErrorsAreJson) {
  EXPECT_EQ(error_json("No \"such\" thing."), "{\"error\":\"No \\\"such\\\" thing.\"}\n");
}

}  // namespace
}  // namespace pyrometer
