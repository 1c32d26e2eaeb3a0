#include <gtest/gtest.h>

#include "export/exporter.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

std::string callgrind(const Profile& profile) {
  return export_callgrind(make_overview(profile, MetricId(0))).value();
}

TEST(Callgrind, LinesAndCallsOfEachFunction) {
  const Profile profile = profile_of_stacks({{"main:3", 50, 1}, {"main:4;solve:21", 700, 10}});
  EXPECT_EQ(callgrind(profile), R"(# callgrind format
version: 1
creator: pyrometer
positions: line
event: wall_ns : the wall time, nanoseconds
events: wall_ns

ob=(1) ???
fl=(1) /home/user/main.py
fn=(1) main
3 50
cob=(1)
cfi=(2) /home/user/solve.py
cfn=(2) solve
calls=10 1
4 700

ob=(1)
fl=(2)
fn=(2)
21 700

totals: 750
)");
}

TEST(Callgrind, RecursionCountsItsOutermostCallInFull) {
  const Profile profile = profile_of_stacks({{"f:1;f:1;f:1", 30, 3}});
  const std::string text = callgrind(profile);
  EXPECT_NE(text.find("cfn=(1)\ncalls=3 1\n1 30\n"), std::string::npos) << text;
  EXPECT_NE(text.find("totals: 30\n"), std::string::npos) << text;
}

TEST(Callgrind, EqualNamesGetTheirPlaces) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({.source = "x"});
  const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("main")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  for (const std::uint32_t line : {3U, 9U}) {
    const FunctionId lambda = builder.function({.name = "<lambda>",
                                                .qualified_name = "<lambda>",
                                                .file = "/a.py",
                                                .short_file = "a.py",
                                                .first_line = line});
    builder.values(thread).row(builder.node(NodeId::none(), lambda, line))[wall] += line;
  }
  const Profile profile = builder.finish();
  const std::string text = callgrind(profile);
  EXPECT_NE(text.find("fn=(1) <lambda> (a.py:3)\n3 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("fn=(2) <lambda> (a.py:9)\n9 9\n"), std::string::npos) << text;
}

TEST(Callgrind, NamesCannotBreakTheFormat) {
  const Profile profile = profile_of_stacks({{"two\nfn=(9) lines", 1}});
  EXPECT_EQ(callgrind(profile).find("\nfn=(9)"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer
