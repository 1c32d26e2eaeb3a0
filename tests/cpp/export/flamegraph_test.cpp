#include <fmt/format.h>
#include <gtest/gtest.h>

#include "export/exporter.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

constexpr std::int64_t kMs = 1'000'000;

std::string flamegraph(const Profile& profile) {
  return export_flamegraph(make_overview(profile, MetricId(0))).value();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(FlameGraph, FramesAreAsWideAsTheirShares) {
  const Profile profile = profile_of_stacks({{"main:3", 50 * kMs}, {"main:4;solve:21", 150 * kMs}});
  const std::string svg = flamegraph(profile);
  EXPECT_NE(svg.find("Flame graph of the wall time: 200 ms"), std::string::npos);
  EXPECT_NE(svg.find("<title>all\n200 ms (100.0 %)</title><rect x=\"12\" y=\"100\" width=\"1176\""),
            std::string::npos);
  EXPECT_NE(svg.find("<title>solve\nsolve.py:1\n150 ms (75.0 %), 150 ms of it itself</title>"
                     "<rect x=\"12\" y=\"136\" width=\"882\""),
            std::string::npos)
      << svg;
  EXPECT_EQ(count(svg, "class=\"frame\""), 3U);
}

TEST(FlameGraph, NamesCannotBreakTheFile) {
  const Profile profile = profile_of_stacks({{"<script>&\"]]>\x01", kMs}});
  const std::string svg = flamegraph(profile);
  EXPECT_NE(svg.find("&lt;script&gt;&amp;&quot;]]&gt;\\x01"), std::string::npos) << svg;
  EXPECT_EQ(count(svg, "<script>"), 1U);
}

TEST(FlameGraph, ManyNodesStaySmall) {
  std::vector<testing::Stack> stacks;
  for (int i = 0; i < 100'000; ++i) {
    stacks.push_back({fmt::format("main:1;a_function_with_a_rather_long_name_{}:1;"
                                  "another_function_with_a_long_name_{}:1",
                                  i % 316, i),
                      kMs + (i % 977) * kMs});
  }
  const Profile profile = profile_of_stacks(stacks);
  const std::string svg = flamegraph(profile);
  EXPECT_LT(svg.size(), 1'000'000U);
  EXPECT_GT(count(svg, "class=\"frame\""), 300U);
  EXPECT_NE(svg.find("frames are too small to be seen"), std::string::npos);
}

TEST(FlameGraph, DeepRecursionIsCut) {
  std::string path = "f:1";
  for (int i = 1; i < 60'000; ++i) path += ";f:1";
  const std::string svg = flamegraph(profile_of_stacks({{path, kMs}}));
  EXPECT_EQ(count(svg, "class=\"frame\""), 257U);
}

TEST(FlameGraph, NothingMeasured) {
  EXPECT_EQ(count(flamegraph(profile_of_stacks({{"main:1", 0}})), "class=\"frame\""), 1U);
}

}  // namespace
}  // namespace pyrometer
