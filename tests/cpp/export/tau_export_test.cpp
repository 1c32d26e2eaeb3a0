#include <gtest/gtest.h>

#include "export/exporter.h"
#include "export/tau.h"
#include "support/profile_of_stacks.h"

using namespace pyrometer;
using pyrometer::testing::profile_of_stacks;

namespace {

std::string only_file(const Profile& profile) {
  const auto files = export_tau(make_overview(profile, MetricId(0)));
  EXPECT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->size(), 1U);
  EXPECT_EQ(files->front().name, "profile.0.0.0");
  return files->front().content;
}

}  // namespace

TEST(ExportTau, FunctionsAndPathsBelowTheProgram) {
  const Profile profile =
      profile_of_stacks({{"main:3", 50'500, 1}, {"main:4;solve:21", 700'250, 10}});
  EXPECT_EQ(only_file(profile),
            "5 templated_functions_MULTI_TIME\n"
            "# Name Calls Subrs Excl Incl ProfileCalls # <metadata>"
            "<attribute><name>Metric Name</name><value>TIME</value></attribute>"
            "<attribute><name>Hostname</name><value>node</value></attribute>"
            "<attribute><name>pid</name><value>7</value></attribute>"
            "<attribute><name>Thread</name><value>MainThread</value></attribute>"
            "<attribute><name>Exported by</name><value>Pyrometer</value></attribute></metadata>\n"
            "\".TAU application\" 1 1 0 751 0 GROUP=\"TAU_DEFAULT\" \n"
            "\"main [{/home/user/main.py} {1}]\" 1 10 50.5 750.75 0 GROUP=\"TAU_PYTHON\" \n"
            "\"solve [{/home/user/solve.py} {1}]\" 10 0 700.25 700.25 0 GROUP=\"TAU_PYTHON\" \n"
            "\".TAU application => main [{/home/user/main.py} {1}]\" 1 10 50.5 750.75 0 "
            "GROUP=\"TAU_CALLPATH|TAU_PYTHON\" \n"
            "\".TAU application => main [{/home/user/main.py} {1}] => solve [{/home/user/solve.py} "
            "{1}]\" "
            "10 0 700.25 700.25 0 GROUP=\"TAU_CALLPATH|TAU_PYTHON\" \n"
            "0 aggregates\n");
}

TEST(ExportTau, RecursionCountsOnce) {
  const Profile profile = profile_of_stacks({{"f;f;f", 3'000, 3}, {"f", 1'000, 1}});
  const TauProfile tau = make_tau(make_overview(profile, MetricId(0))).value();
  // The program, then the function, then its three paths.
  EXPECT_EQ(tau.threads[0].value(0, 1), (TauValue{4, 4}));
  EXPECT_EQ(tau.threads[0].value(0, 2), (TauValue{1, 4}));
  EXPECT_EQ(tau.threads[0].rows.size(), 5U);
}

TEST(ExportTau, NamesCannotBreakTheFormat) {
  const Profile profile = profile_of_stacks({{"a\"b => c\n[{x}", 1'000, 1}});
  const std::string text = only_file(profile);
  TauTextReader reader;
  const auto added = reader.add(text, {});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(reader.take().threads[0].rows.size(), 3U);
}

TEST(ExportTau, PathsTooDeepToWriteOutAreRefused) {
  std::string path = "f0";
  for (int i = 1; i < 8'000; ++i) path += ";f" + std::to_string(i);
  const Profile profile = profile_of_stacks({{path, 1'000, 1}});
  const auto refused = export_tau(make_overview(profile, MetricId(0)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(ExportTau, WithoutFunctionsThereIsNothingToWrite) {
  ProfileBuilder builder;
  builder.metric({"wall", Unit::kNanoseconds});
  const Profile profile = builder.finish();
  const auto refused = export_tau(make_overview(profile, MetricId(0)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}
