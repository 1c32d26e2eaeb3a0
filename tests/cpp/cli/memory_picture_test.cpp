#include "cli/memory_picture.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

TEST(MemoryPicture, WindowsOfTwoMoments) {
  const auto window = parse_window("0.5,20");
  ASSERT_TRUE(window);
  EXPECT_EQ(window->begin, 500'000'000);
  EXPECT_EQ(window->end, 20'000'000'000);
  EXPECT_TRUE(parse_window("-1,1e3"));
}

TEST(MemoryPicture, WhatIsNoWindow) {
  for (const char* text :
       {"", ",", "5", "5,", ",5", "1,2,3", "a,b", "0,5s", "0,inf", "nan,1", "0,1e10", "0, 5"}) {
    const auto window = parse_window(text);
    ASSERT_FALSE(window) << text;
    EXPECT_EQ(window.error().code, ErrorCode::kUsage);
    EXPECT_NE(window.error().message.find("two numbers of seconds"), std::string::npos) << text;
  }
  for (const char* text : {"5,1", "5,5", "1,1.0000000001"}) {
    const auto window = parse_window(text);
    ASSERT_FALSE(window) << text;
    EXPECT_NE(window.error().message.find("is empty"), std::string::npos) << text;
  }
}

TEST(MemoryPicture, WithoutAPictureNothingIsAskedOfIt) {
  const auto options = parse_picture({});
  ASSERT_TRUE(options);
  EXPECT_FALSE(options->window);
  EXPECT_TRUE(options->functions);
}

}  // namespace
}  // namespace pyrometer
