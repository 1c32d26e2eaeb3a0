#include "profile/part.h"

#include <gtest/gtest.h>

#include "profile/builder.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

struct Built {
  ProfileBuilder builder;
  MetricId wall = builder.metric({"wall", Unit::kNanoseconds});

  FunctionId function(std::string_view name) {
    return builder.function({.name = name, .file = "a.py", .short_file = "a.py"});
  }
  // A rank whose only thread spends `value` in `name`, called from main.
  ThreadId add_rank(std::int64_t rank, std::string_view name, std::int64_t value) {
    const ProcessId process = builder.add_process({.rank = rank, .pid = 7});
    const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("t")});
    const NodeId top = builder.node(NodeId::none(), function("main"), 1);
    builder.values(thread).row(builder.node(top, function(name), 2))[wall] = value;
    return thread;
  }
};

TEST(PartOfProfile, HasOnlyWhatItsProcessesDid) {
  Built all;
  all.add_rank(0, "f", 5);
  const ThreadId thread = all.add_rank(1, "g", 7);
  all.builder.add_line({thread, all.wall, all.function("g"), 3, 4});
  all.builder.profile().messages.push_back({.process = ProcessId(0), .text = "of rank 0"});
  all.builder.profile().regions.push_back({.thread = thread,
                                           .name = all.builder.string("r"),
                                           .duration = 1,
                                           .opener = all.function("g")});
  const Profile part = part_of_profile(all.builder.finish(), {false, true});
  ASSERT_EQ(part.processes.size(), 1U);
  EXPECT_EQ(part.processes[0].rank, 1);
  ASSERT_EQ(part.threads.size(), 1U);
  EXPECT_EQ(part.threads[0].process, ProcessId(0));
  ASSERT_EQ(part.nodes.size(), 2U);  // not f
  EXPECT_EQ(part.text(part.function_of(NodeId(1)).name), "g");
  EXPECT_EQ(grand_total(part, MetricId(0)), 7);
  ASSERT_EQ(part.line_values.size(), 1U);
  EXPECT_EQ(part.line_values[0].value, 4);
  EXPECT_TRUE(part.messages.empty());
  EXPECT_EQ(part.text(part.functions[part.regions.at(0).opener.row()].name), "g");
}

TEST(PartOfProfile, AllOfItIsTheSame) {
  Built all;
  all.add_rank(0, "f", 5);
  all.add_rank(1, "g", 7);
  const Profile whole = all.builder.finish();
  const Profile part = part_of_profile(whole, {true, true});
  ASSERT_EQ(part.nodes.size(), whole.nodes.size());
  for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
    EXPECT_EQ(part.nodes[i].id, whole.nodes[i].id);
  }
  EXPECT_EQ(part.node_totals, whole.node_totals);
  EXPECT_EQ(part.process_totals, whole.process_totals);
}

TEST(PartOfProfile, WaitingStaysWhatItWasAgainstAllRanks) {
  Built all;
  const ThreadId quick = all.add_rank(0, "f", 5);
  const ThreadId slow = all.add_rank(1, "f", 5);
  const FunctionId barrier = all.builder.function(
      {.kind = FunctionKind::kNative, .name = "MPI_Barrier", .file = "MPI", .short_file = "MPI"});
  const NodeId node = all.builder.node(NodeId(0), barrier, 0);
  for (const auto& [thread, time] : {std::pair(quick, 10), std::pair(slow, 90)}) {
    all.builder.add_mpi_calls({.thread = thread,
                               .node = node,
                               .communicator = 2,
                               .calls = 1,
                               .time = time,
                               .quickest = time,
                               .slowest = time});
  }
  const Profile whole = all.builder.finish();
  const Profile part = part_of_profile(whole, {false, true});
  const auto wait = part.find_metric(metric::kMpiWait);
  ASSERT_TRUE(wait);
  EXPECT_EQ(grand_total(part, *wait), 80);
}

}  // namespace
}  // namespace pyrometer
