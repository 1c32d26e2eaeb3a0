#include "cli/graph_names.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace pyrometer {
namespace {

std::string names(std::string_view pattern, const std::vector<GraphNameParts>& parts) {
  const auto made = make_graph_names(pattern, parts);
  return made ? fmt::format("{}", fmt::join(*made, " ")) : made.error().message;
}

TEST(GraphNames, RanksAndFiles) {
  const std::vector<GraphNameParts> ranks = {{std::nullopt, "none"}, {0, "rank0"}, {12, "rank12"}};
  EXPECT_EQ(names("g-%r.svg", ranks), "g-none.svg g-0.svg g-12.svg");
  EXPECT_EQ(names("out/g.svg", ranks), "out/g-ranknone.svg out/g-rank0.svg out/g-rank12.svg");
  EXPECT_EQ(names("%n%%.png", ranks), "1%.png 2%.png 3%.png");
  const std::vector<GraphNameParts> files = {{std::nullopt, "a"}, {std::nullopt, "../b"}};
  EXPECT_EQ(names("g.svg", files), "g-a.svg g-.._b.svg");
  EXPECT_EQ(names("%f.svg", files), "a.svg .._b.svg");
}

TEST(GraphNames, NoTwoOfTheSame) {
  const std::vector<GraphNameParts> twins = {{std::nullopt, "a"}, {std::nullopt, "a"}};
  EXPECT_EQ(names("g.svg", twins), "g-1-a.svg g-2-a.svg");
  EXPECT_EQ(names("g-%f.svg", twins),
            "several files would be called 'g-a.svg', as these profiles have no ranks; put %n, a "
            "running number, into the name");
  EXPECT_EQ(make_graph_names("g-%r.svg", twins).error().code, ErrorCode::kUsage);
}

TEST(GraphNames, UnknownLetters) {
  const std::vector<GraphNameParts> one = {{0, "a"}};
  EXPECT_EQ(names("g-%x.svg", one).substr(0, 39), "'%x' in the name 'g-%x.svg' stands for ");
  EXPECT_EQ(names("g.svg%", one).substr(0, 36), "'%' in the name 'g.svg%' stands for ");
}

}  // namespace
}  // namespace pyrometer
