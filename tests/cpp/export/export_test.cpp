#include <fmt/format.h>
#include <gtest/gtest.h>

#include "export/exporter.h"
#include "formats/pstats_file.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

constexpr std::int64_t kMs = 1'000'000;

Profile example() {
  return profile_of_stacks({{"main:3", 50 * kMs, 1}, {"main:4;solve:21", 700 * kMs, 10}});
}

TEST(Export, CollapsedStacksInMicroseconds) {
  const Profile profile = example();
  EXPECT_EQ(export_collapsed(make_overview(profile, MetricId(0))).value(),
            "main (main.py:1) 50000\nmain (main.py:1);solve (solve.py:1) 700000\n");
}

TEST(Export, CollapsedRoundingKeepsTheSum) {
  std::vector<testing::Stack> stacks;
  for (int i = 0; i < 1000; ++i) stacks.push_back({fmt::format("f{}", i), 1'500});
  const Profile profile = profile_of_stacks(stacks);
  const std::string text = export_collapsed(make_overview(profile, MetricId(0))).value();
  std::int64_t sum = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    sum += std::stoll(line.substr(line.rfind(' ')));
  EXPECT_EQ(sum, 1'500);
}

TEST(Export, CollapsedNamesCannotBreakTheFormat) {
  const Profile profile = profile_of_stacks({{"two\nlines", kMs}});
  const std::string text = export_collapsed(make_overview(profile, MetricId(0))).value();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(Export, SpeedscopeOpensAndClosesInOrder) {
  const Profile profile = example();
  EXPECT_EQ(
      export_speedscope(make_overview(profile, MetricId(0))).value(),
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
      "\"exporter\":\"pyrometer\",\"name\":\"pyrometer\",\"activeProfileIndex\":0,"
      "\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"/home/user/main.py\",\"line\":1},"
      "{\"name\":\"solve\",\"file\":\"/home/user/solve.py\",\"line\":1}]},"
      "\"profiles\":[{\"type\":\"evented\",\"name\":\"MainThread\",\"unit\":\"nanoseconds\","
      "\"startValue\":0,\"endValue\":750000000,\"events\":["
      "{\"type\":\"O\",\"frame\":0,\"at\":0},{\"type\":\"C\",\"frame\":0,\"at\":50000000},"
      "{\"type\":\"O\",\"frame\":0,\"at\":50000000},{\"type\":\"O\",\"frame\":1,\"at\":50000000},"
      "{\"type\":\"C\",\"frame\":1,\"at\":750000000},{\"type\":\"C\",\"frame\":0,\"at\":750000000}"
      "]}]}\n");
}

TEST(Export, PstatsHoldsFunctionsAndCallers) {
  const Profile profile = example();
  const std::string bytes = export_pstats(make_overview(profile, MetricId(0))).value();
  const PstatsFile file = read_pstats(bytes).value();
  ASSERT_EQ(file.functions.size(), 2U);
  EXPECT_EQ(file.functions[0].name, "main");
  EXPECT_DOUBLE_EQ(file.functions[0].cost.total_seconds, 0.75);
  EXPECT_EQ(file.functions[1].cost.calls, 10);
  ASSERT_EQ(file.functions[1].callers.size(), 1U);
  EXPECT_DOUBLE_EQ(file.functions[1].callers[0].cost.self_seconds, 0.7);
}

TEST(Export, PstatsRefusesWhatIsNoTime) {
  const Profile profile = example();
  const auto refused = export_pstats(make_overview(profile, MetricId(1)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST(Export, PstatsOfAProgramThatWasOverAtOnce) {
  Profile profile = profile_of_stacks({{"(too short to be sampled)", 0, 1}});
  profile.functions[0].kind = FunctionKind::kLabel;
  const std::string bytes = export_pstats(make_overview(profile, MetricId(1))).value();
  const PstatsFile file = read_pstats(bytes).value();
  ASSERT_EQ(file.functions.size(), 1U);  // pstats takes no file without any
  EXPECT_EQ(file.functions[0].cost.total_seconds, 0);
}

TEST(Export, FormatByNameOrByTheOutput) {
  EXPECT_EQ(find_exporter("pstats", "x").value()->name, "pstats");
  EXPECT_EQ(find_exporter("", "x.prof").value()->name, "pstats");
  EXPECT_EQ(find_exporter("", "x.speedscope.json").value()->name, "speedscope");
  EXPECT_EQ(find_exporter("", "x.json").value()->name, "json");
  EXPECT_FALSE(find_exporter("nonsense", "x.json"));
  EXPECT_FALSE(find_exporter("", "x.unknown"));
}

TEST(Export, JsonHoldsEveryValue) {
  const Profile profile = example();
  const std::string json = export_json(make_overview(profile, MetricId(0))).value();
  EXPECT_NE(json.find("\"values\":[[0,0,50000000],[0,2,700000000]]"), std::string::npos) << json;
}

}  // namespace
}  // namespace pyrometer
