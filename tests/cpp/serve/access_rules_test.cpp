#include "serve/access_rules.h"

#include <gtest/gtest.h>

#include <set>

namespace pyrometer {
namespace {

TEST(AccessRules, HostIsThisMachineWithAnyPort) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8080", "localhost:1", "[::1]:65535", "[::1]"}) {
    EXPECT_TRUE(is_local_host(host)) << host;
  }
  for (const char* host :
       {"", "evil.example", "127.0.0.1.evil.example", "localhost:", "localhost:x",
        "localhost:123456", "127.0.0.10", "[::1]x", "0.0.0.0:80", "127.0.0.1@x"}) {
    EXPECT_FALSE(is_local_host(host)) << host;
  }
}

TEST(AccessRules, OtherSitesAreRefused) {
  const auto is_allowed = [](std::string_view host, std::string_view origin,
                             std::string_view site) {
    return is_own_request({.target = "/", .host = host, .origin = origin, .fetch_site = site});
  };
  EXPECT_TRUE(is_allowed("localhost:8080", "", ""));
  EXPECT_TRUE(is_allowed("localhost:8080", "http://localhost:8080", "same-origin"));
  EXPECT_TRUE(is_allowed("localhost:8080", "", "none"));
  EXPECT_FALSE(is_allowed("localhost:8080", "http://localhost:8081", ""));
  EXPECT_FALSE(is_allowed("localhost:8080", "https://localhost:8080", ""));
  EXPECT_FALSE(is_allowed("localhost:8080", "null", ""));
  EXPECT_FALSE(is_allowed("localhost:8080", "", "cross-site"));
  EXPECT_FALSE(is_allowed("localhost:8080", "", "same-site"));
  EXPECT_FALSE(is_allowed("evil.example", "http://evil.example", "same-origin"));
}

TEST(AccessRules, OnlyTheTokenLeadsAnywhere) {
  EXPECT_EQ(below_token("/abc/", "abc"), "");
  EXPECT_EQ(below_token("/abc/api/0/source?file=1", "abc"), "api/0/source?file=1");
  for (const char* target :
       {"", "/", "/abc", "/abd/", "/ab/", "/abcd/", "abc/", "//abc/", "/ABC/", "/x/../abc/", "*"}) {
    EXPECT_FALSE(below_token(target, "abc")) << target;
  }
}

TEST(AccessRules, TokensAre128RandomBits) {
  std::set<std::string> tokens;
  for (int i = 0; i < 50; ++i) tokens.insert(make_token());
  EXPECT_EQ(tokens.size(), 50U);
  for (const std::string& token : tokens) {
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
}

}  // namespace
}  // namespace pyrometer
