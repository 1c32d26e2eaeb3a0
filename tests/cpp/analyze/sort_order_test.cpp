#include "analyze/sort_order.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

std::string title_of(std::vector<std::string> words) {
  const auto order = parse_sort_order(words);
  return order ? order->title : order.error().message;
}

TEST(SortOrder, WordsPrefixesAndNumbersOfPstats) {
  EXPECT_EQ(title_of({"tottime"}), "internal time");
  EXPECT_EQ(title_of({"cumulative", "name"}), "cumulative time, function name");
  EXPECT_EQ(title_of({"ncalls,nfl", "stdname"}), "call count, name/file/line, standard name");
  EXPECT_EQ(title_of({"p"}), "primitive call count");
  EXPECT_EQ(title_of({"cu"}), "cumulative time");  // though "cum" is not accepted
  EXPECT_EQ(title_of({"file"}), "file name");
  EXPECT_EQ(title_of({"-1"}), "standard name");
  EXPECT_EQ(title_of({"2"}), "cumulative time");
  EXPECT_EQ(title_of({"psamples"}), "primitive call count");
}

TEST(SortOrder, NameFileAndLineAreThreeKeys) {
  const std::vector<std::string> words{"nfl"};
  const auto order = parse_sort_order(words);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->keys, (std::vector{SortKey::kName, SortKey::kFile, SortKey::kLine}));
}

TEST(SortOrder, WhatCouldBeSeveralIsAnError) {
  EXPECT_EQ(title_of({"t"}), "the order 't' could be any of time, tottime; write it in full");
  EXPECT_EQ(title_of({"cum"}),
            "the order 'cum' could be any of cumtime, cumulative; write it in full");
  EXPECT_EQ(title_of({"n"}), "the order 'n' could be any of ncalls, name, nfl; write it in full");
}

TEST(SortOrder, UnknownWords) {
  for (const char* word : {"luck", "", "3", "callsx", "time,", "Time"}) {
    const std::string message = title_of({word});
    EXPECT_TRUE(message.starts_with("there is no order '")) << message;
    EXPECT_NE(message.find("calls, cumtime, cumulative, file"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace pyrometer
