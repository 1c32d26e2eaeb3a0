#include <gtest/gtest.h>

#include "export/exporter.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

TEST(Csv, OneRowPerFunctionAndTwoColumnsPerMetric) {
  const Profile profile =
      profile_of_stacks({{"main:3", 50'000'000, 1}, {"main:4;solve:21", 700'000'000, 10}}, true);
  EXPECT_EQ(export_csv(make_overview(profile, MetricId(0))).value(),
            "function,file,line,kind,calls,primitive_calls,wall_self_ns,wall_total_ns,"
            "samples_self,samples_total\r\n"
            "solve,/home/user/solve.py,1,python,10,10,700000000,700000000,700,700\r\n"
            "main,/home/user/main.py,1,python,1,1,50000000,750000000,50,750\r\n");
}

TEST(Csv, OneRowPerLine) {
  const Profile profile = profile_of_stacks({{"main:3", 50, 1}, {"main:4;solve:21", 700, 10}});
  EXPECT_EQ(export_csv_lines(make_overview(profile, MetricId(0))).value(),
            "function,file,function_line,kind,line,hits,samples,wall_self_ns,wall_total_ns\r\n"
            "main,/home/user/main.py,1,python,3,0,0,50,50\r\n"
            "main,/home/user/main.py,1,python,4,0,0,0,700\r\n"
            "solve,/home/user/solve.py,1,python,21,0,0,700,700\r\n");
}

TEST(Csv, NamesAreQuotedWhereTheyMust) {
  const Profile profile = profile_of_stacks({{"a \"b\", c\nd", 1}});
  const std::string text = export_csv(make_overview(profile, MetricId(0))).value();
  EXPECT_NE(text.find("\r\n\"a \"\"b\"\", c\nd\",\""), std::string::npos) << text;
}

}  // namespace
}  // namespace pyrometer
