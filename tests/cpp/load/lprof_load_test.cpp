#include <gtest/gtest.h>

#include "load/load.h"
#include "load/lprof.h"
#include "support/temporary_folder.h"

using namespace pyrometer;

TEST(LoadLprof, LinesWithHitsAndNanoseconds) {
  const LprofFile file{.functions = {{"/w/a.py", 3, "C.f", {{4, 10, 25}}}}, .unit = 1e-7};
  const pyrometer::testing::TemporaryFolder folder;
  const Path path = folder.path() / "a.anything";
  ASSERT_TRUE(write_file(path, write_lprof(file)));
  const auto profile = load_file(path, Detail::kSummary);
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->functions.size(), 1U);
  EXPECT_EQ(profile->text(profile->functions[0].name), "f");
  EXPECT_EQ(profile->text(profile->functions[0].qualified_name), "C.f");
  ASSERT_EQ(profile->line_values.size(), 2U);
  EXPECT_EQ(profile->line_values[0].value, 10);
  EXPECT_EQ(profile->line_values[1].value, 2'500);
  EXPECT_EQ(profile->metrics[profile->line_values[1].metric.row()].name, "line-time");
}

TEST(LoadLprof, ErrorsNameTheFile) {
  const pyrometer::testing::TemporaryFolder folder;
  const Path path = folder.path() / "evil.lprof";
  ASSERT_TRUE(write_file(path, std::string("\x80\x02"
                                           "cos\nsystem\n.")));
  const auto profile = load_file(path, Detail::kSummary);
  ASSERT_FALSE(profile);
  EXPECT_NE(profile.error().message.find("evil.lprof': byte 2: it would call os.system"),
            std::string::npos)
      << profile.error().message;
}
