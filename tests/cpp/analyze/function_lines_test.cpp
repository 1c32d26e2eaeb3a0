#include "analyze/function_lines.h"

#include <gtest/gtest.h>

#include "profile/builder.h"

using namespace pyrometer;

namespace {

struct Recorded {
  ProfileBuilder builder;
  ProcessId process = builder.add_process({});
  ThreadId thread = builder.add_thread({.process = process});
  FunctionId function = builder.function({.kind = FunctionKind::kPython,
                                          .name = "step",
                                          .qualified_name = "Grid.step",
                                          .file = "/w/grid.py",
                                          .short_file = "grid.py",
                                          .first_line = 10});

  void add_exact(std::uint32_t line, std::int64_t hits, std::int64_t time, std::int64_t self) {
    const MetricId metrics[] = {builder.metric({"hits", Unit::kCount}),
                                builder.metric({"line-time", Unit::kNanoseconds}),
                                builder.metric({"line-self", Unit::kNanoseconds})};
    const std::int64_t values[] = {hits, time, self};
    for (std::size_t i = 0; i < 3; ++i) {
      builder.add_line({thread, metrics[i], function, line, values[i]});
    }
  }

  // Below the line, in native code.
  void add_sample(std::uint32_t line, std::int64_t wall, std::int64_t native) {
    const FunctionId library = builder.function({.kind = FunctionKind::kNative, .name = "libm.so"});
    const NodeId node = builder.node(builder.node(NodeId::none(), function, line), library, 0);
    const MetricId samples = builder.metric({"samples", Unit::kCount});
    const MetricId wall_id = builder.metric({"wall", Unit::kNanoseconds});
    const MetricId native_id = builder.metric({"native", Unit::kNanoseconds});
    ValueRows::Row row = builder.values(thread).row(node);
    ++row[samples];
    row[wall_id] += wall;
    row[native_id] += native;
    builder.profile().is_sampled = true;
  }
};

}  // namespace

TEST(FunctionLines, ExactValuesOfAllThreads) {
  Recorded recorded;
  recorded.add_exact(11, 3, 300, 200);
  recorded.thread = recorded.builder.add_thread({.process = recorded.process});
  recorded.add_exact(11, 4, 40, 40);
  recorded.add_exact(12, 1, 1, 1);
  const FunctionLinesTable table = make_function_lines(recorded.builder.finish());
  EXPECT_FALSE(table.is_sampled);
  EXPECT_TRUE(table.has_self);
  EXPECT_FALSE(table.has_samples);
  ASSERT_EQ(table.functions.size(), 1U);
  const FunctionLines& function = table.functions[0];
  EXPECT_EQ(function.name, "Grid.step");
  EXPECT_EQ(function.file, "/w/grid.py");
  ASSERT_EQ(function.lines.size(), 2U);
  EXPECT_EQ(function.lines[0].line, 11U);
  EXPECT_EQ(function.lines[0].hits, 7);
  EXPECT_EQ(function.lines[0].time, 340);
  EXPECT_EQ(function.lines[0].self, 240);
}

TEST(FunctionLines, SamplesOfTheSameLines) {
  Recorded recorded;
  recorded.add_exact(11, 3, 300, 200);
  recorded.add_sample(11, 100, 75);
  const FunctionLinesTable table = make_function_lines(recorded.builder.finish());
  EXPECT_TRUE(table.has_samples);
  const LineFigures& line = table.functions[0].lines[0];
  EXPECT_EQ(line.hits, 3);
  EXPECT_EQ(line.samples, 1);
  EXPECT_EQ(line.native, 75);
  EXPECT_EQ(line.wait, 25);
}

TEST(FunctionLines, SamplesAlone) {
  Recorded recorded;
  recorded.add_sample(11, 100, 75);
  const FunctionLinesTable table = make_function_lines(recorded.builder.finish());
  EXPECT_TRUE(table.is_sampled);
  ASSERT_EQ(table.functions.size(), 1U);
  EXPECT_EQ(table.functions[0].lines[0].time, 100);
  EXPECT_EQ(table.functions[0].lines[0].hits, 1);
}

TEST(FunctionLines, HowEachWasMeasured) {
  Recorded recorded;
  recorded.add_exact(11, 3, 300, 200);
  recorded.builder.profile().processes[0].attributes.emplace_back(
      "lines.engines",
      "/w/other.py\t1\tf\tevents\tx\n\nbroken\n/w/grid.py\t10\tGrid.step\tevents\tit was running");
  const FunctionLinesTable table = make_function_lines(recorded.builder.finish());
  EXPECT_EQ(table.functions[0].engine, "events");
  EXPECT_EQ(table.functions[0].reason, "it was running");
}

TEST(FunctionLines, NothingAtAll) {
  ProfileBuilder builder;
  builder.add_process({});
  EXPECT_TRUE(make_function_lines(builder.finish()).functions.empty());
}
