// Regions among the frames of call paths.
#include <gtest/gtest.h>

#include <map>

#include "analyze/names.h"
#include "analyze/open_regions.h"
#include "analyze/transform_with_regions.h"
#include "profile/builder.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

using Paths = std::map<std::string, std::int64_t>;

// One thread, whose samples and regions are given one by one. Times are plain numbers.
class Program {
 public:
  // "main:1;solve:2": functions and lines, the outermost first.
  NodeId path(const std::string& text) {
    NodeId node = NodeId::none();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(';', at), text.size());
      const std::size_t colon = text.find(':', at);
      const auto line =
          static_cast<std::uint32_t>(std::stoi(text.substr(colon + 1, end - colon - 1)));
      node = builder.node(node, function(text.substr(at, colon - at)), line);
      at = end + 1;
    }
    return node;
  }
  FunctionId function(const std::string& name) {
    return builder.function({.name = name, .qualified_name = name, .file = "/p.py"});
  }

  void run(std::int64_t time, std::int64_t took, const std::string& text) {
    sample(time, took, took, text);
  }
  void wait(std::int64_t time, std::int64_t took, const std::string& text) {
    sample(time, took, 0, text);
  }
  void region(const std::string& name, std::int64_t start, std::int64_t end,
              const std::string& opener) {
    builder.profile().regions.push_back(
        {.thread = thread,
         .name = builder.string(name),
         .start = start,
         .duration = end - start,
         .opener = opener.empty() ? FunctionId::none() : function(opener)});
  }
  Profile finish() {
    builder.profile().samples.push_back(std::move(track));
    return builder.finish();
  }

  ProfileBuilder builder;
  MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  MetricId cpu = builder.metric({"cpu", Unit::kNanoseconds});
  MetricId samples = builder.metric({"samples"});
  MetricId calls = builder.metric({"calls"});
  ThreadId thread = builder.add_thread({.process = builder.add_process({})});
  SampleTrack track{thread, {wall, cpu}};

 private:
  void sample(std::int64_t time, std::int64_t of_wall, std::int64_t of_cpu,
              const std::string& text) {
    const NodeId node = path(text);
    const std::int64_t values[] = {of_wall, of_cpu};
    track.append(time, node, values);
    ValueRows::Row row = builder.values(thread).row(node);
    row[wall] += of_wall;
    row[cpu] += of_cpu;
    row[samples] += 1;
  }
};

std::string path_of(const Profile& profile, NodeId node) {
  std::string text;
  for (; !node.is_none(); node = profile.nodes[node.row()].parent) {
    const std::string name(display_name(profile, profile.function_of(node)));
    text = name + (text.empty() ? "" : ";") + text;
  }
  return text;
}

// What each path of functions cost by itself.
Paths paths_of(const Profile& profile, std::string_view metric = "wall") {
  Paths paths;
  const auto& totals = profile.node_totals[profile.find_metric(metric)->row()];
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (totals[i] != 0) paths[path_of(profile, NodeId::from_index(i))] += totals[i];
  }
  return paths;
}

Paths paths_with_regions(Program& program, std::string_view metric = "wall") {
  const Profile profile = program.finish();
  const auto with = with_regions(profile);
  EXPECT_TRUE(with) << (with ? "" : with.error().message);
  if (!with) return {};
  for (std::size_t i = 0; i < profile.metrics.size(); ++i) {
    const MetricId each = MetricId::from_index(i);
    EXPECT_EQ(grand_total(*with, each), grand_total(profile, each)) << profile.metrics[i].name;
  }
  EXPECT_EQ(with->process_totals, profile.process_totals);
  return paths_of(*with, metric);
}

TEST(WithRegions, StandBelowTheFrameThatBeganThem) {
  Program program;
  program.run(10, 10, "module:9;main:1");
  program.run(20, 10, "module:9;main:2;build:5");
  program.run(30, 10, "module:9;main:2");
  program.run(40, 10, "module:9;main:3;solve:7");
  program.region("assembly", 11, 35, "main");
  EXPECT_EQ(paths_with_regions(program), (Paths{{"module;main", 10},
                                                {"module;main;[assembly]", 10},
                                                {"module;main;[assembly];build", 10},
                                                {"module;main;solve", 10}}));
}

TEST(WithRegions, NestAsTheyWereOpen) {
  Program program;
  program.region("inner", 15, 25, "f");
  program.region("same place", 5, 40, "main");
  program.region("outer", 5, 50, "main");
  program.run(10, 10, "main:1;f:2");
  program.run(20, 10, "main:1;f:2;g:3");
  program.run(45, 10, "main:1");
  EXPECT_EQ(paths_with_regions(program), (Paths{{"main;[outer];[same place];f", 10},
                                                {"main;[outer];[same place];f;[inner];g", 10},
                                                {"main;[outer]", 10}}));
}

TEST(WithRegions, OfARecursionHaveAFrameEach) {
  Program program;
  program.region("f", 0, 40, "f");
  program.region("f", 10, 30, "f");
  program.run(5, 5, "f:1");
  program.run(20, 10, "f:1;f:1");
  EXPECT_EQ(paths_with_regions(program), (Paths{{"f;[f]", 5}, {"f;[f];f;[f]", 10}}));
}

TEST(WithRegions, OfAnotherTaskAreNotInThePath) {
  Program program;
  program.region("a", 0, 100, "task_a");
  program.region("b", 10, 100, "task_b");
  program.run(20, 10, "loop:1;task_a:2");
  program.run(30, 10, "loop:1;task_b:2");
  program.run(40, 10, "loop:1");
  EXPECT_EQ(paths_with_regions(program),
            (Paths{{"loop;task_a;[a]", 10}, {"loop;task_b;[b]", 10}, {"loop", 10}}));
}

TEST(WithRegions, TakeWhatRanWhereItWasSeenAndDivideWaits) {
  Program program;
  program.region("r", 10, 20, "main");
  program.run(12, 10, "main:1;f:2");   // seen inside: all of it
  program.wait(26, 12, "main:1;w:3");  // from 14 to 26, half of it inside
  EXPECT_EQ(paths_with_regions(program),
            (Paths{{"main;[r];f", 10}, {"main;[r];w", 6}, {"main;w", 6}}));
}

TEST(WithRegions, CountEachSampleOnce) {
  Program program;
  program.region("r", 10, 20, "main");
  program.run(12, 10, "main:1");
  program.wait(26, 12, "main:1;w:3");
  EXPECT_EQ(paths_with_regions(program, "samples"), (Paths{{"main;[r]", 1}, {"main;w", 1}}));
}

TEST(WithRegions, LeaveWhatHasNoTimeWhereItIs) {
  Program program;
  program.region("r", 0, 100, "main");
  program.run(10, 10, "main:1;f:2");
  program.builder.values(program.thread).row(program.path("main:1;f:2"))[program.calls] = 7;
  EXPECT_EQ(paths_with_regions(program, "calls"), (Paths{{"main;f", 7}}));
}

TEST(WithRegions, KeepRowsOfFunctionsAndSamplesInTime) {
  Program program;
  program.region("r", 10, 20, "main");
  program.wait(30, 30, "main:1;f:2");
  const Profile profile = program.finish();
  const auto with = with_regions(profile);
  ASSERT_TRUE(with) << with.error().message;
  ASSERT_EQ(with->functions.size(), profile.functions.size() + 1);
  for (std::size_t i = 0; i < profile.functions.size(); ++i) {
    EXPECT_EQ(with->functions[i].id, profile.functions[i].id);
  }
  EXPECT_EQ(with->functions.back().kind, FunctionKind::kRegion);
  std::vector<std::tuple<std::int64_t, std::string, std::int64_t>> seen;
  with->samples.at(0).for_each(
      [&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
        seen.emplace_back(time, path_of(*with, node), values[0]);
      });
  const decltype(seen) expected = {{10, "main;f", 10}, {20, "main;[r];f", 10}, {30, "main;f", 10}};
  EXPECT_EQ(seen, expected);
}

TEST(WithRegions, SayWhatIsMissing) {
  Program without;
  without.run(10, 10, "main:1");
  const auto none = with_regions(without.finish());
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("has no regions"), std::string::npos);

  Program merged;
  merged.run(10, 10, "main:1");
  merged.region("r", 0, 20, "");
  const Profile profile = merged.finish();
  EXPECT_FALSE(can_show_regions_in_paths(profile));
  const auto unknown = with_regions(profile);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("no merged file"), std::string::npos);
}

TEST(OpenRegions, ChangeAtTheirEnds) {
  RegionChains chains;
  Region a{.name = StringId(0), .start = 10, .duration = 20, .opener = FunctionId(1)};
  Region b{.name = StringId(1), .start = 20, .duration = 30, .opener = FunctionId(1)};
  const OpenRegions open({b, a}, chains);
  const auto names = [&](std::int64_t time) {
    std::vector<std::uint32_t> rows;
    for (const RegionFrame& frame : chains[open.chain_at(time)]) rows.push_back(frame.name.row());
    return rows;
  };
  using Rows = std::vector<std::uint32_t>;
  EXPECT_EQ(names(9), Rows());
  EXPECT_EQ(names(10), Rows{0});
  EXPECT_EQ(names(20), (Rows{0, 1}));
  EXPECT_EQ(names(30), Rows{1});
  EXPECT_EQ(names(50), Rows());
  std::vector<std::pair<std::int64_t, std::size_t>> pieces;
  open.for_each_piece(0, 25, [&](std::int64_t end, std::uint32_t chain) {
    pieces.emplace_back(end, chains[chain].size());
  });
  const decltype(pieces) expected = {{10, 0}, {20, 1}, {25, 2}};
  EXPECT_EQ(pieces, expected);
}

}  // namespace
}  // namespace pyrometer
