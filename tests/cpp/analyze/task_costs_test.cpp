#include "analyze/task_costs.h"

#include <gtest/gtest.h>

#include "analyze/findings/findings.h"
#include "profile/builder.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

// Tasks as an agent records them.
class TaskProfile {
 public:
  TaskProfile() {
    const ProcessId process = builder_.add_process({.duration = 1'000 * kMillisecond});
    thread_ = builder_.add_thread({.process = process});
    builder_.values(thread_).row(label(NodeId::none(), "main"))[time("wall")] = 1;
    builder_.metric({"tasks"});
  }

  NodeId label(NodeId parent, const std::string& text) {
    return builder_.node(parent, builder_.function({.kind = FunctionKind::kLabel, .name = text}),
                         0);
  }
  NodeId frame(NodeId parent, const std::string& file, const std::string& name,
               std::uint32_t line) {
    return builder_.node(parent,
                         builder_.function({.name = name, .file = file, .short_file = file}), line);
  }
  void set(NodeId node, const char* metric, std::int64_t value) {
    builder_.values(thread_).row(node)[time(metric)] = value;
  }
  void count(NodeId node, std::int64_t tasks) {
    builder_.values(thread_).row(node)[builder_.metric({"tasks"})] = tasks;
  }
  Profile finish() { return builder_.finish(); }

 private:
  MetricId time(const std::string& name) {
    const Combine combine = name == "task-step" ? Combine::kMax : Combine::kSum;
    return builder_.metric({name, Unit::kNanoseconds, combine});
  }

  ProfileBuilder builder_;
  ThreadId thread_;
};

std::vector<Finding> findings(const Profile& profile, const char* id) {
  std::vector<Finding> found = find_all(make_overview(profile, *profile.find_metric("wall")));
  std::erase_if(found, [&](const Finding& finding) { return finding.id != id; });
  return found;
}

TEST(TaskCosts, TellWorkFromWaitingAndWhereItIs) {
  TaskProfile made;
  const NodeId task = made.label(NodeId::none(), "task fetch()");
  made.count(task, 3);
  const NodeId fetch = made.frame(task, "app.py", "fetch", 10);
  made.set(fetch, "task-work", 5);
  made.set(fetch, "task-blocked", 2);
  made.set(fetch, "task-step", 4);
  const NodeId sleep = made.frame(fetch, "asyncio/tasks.py", "sleep", 600);
  made.set(made.label(sleep, "(awaits Future)"), "await", 100);
  const NodeId other = made.frame(task, "app.py", "fetch", 20);
  made.set(made.label(other, "(awaits gather)"), "await", 300);
  made.set(made.label(sleep, "(ready, waits for the event loop)"), "await", 50);
  const Profile profile = made.finish();
  const std::vector<TaskCost> costs = make_task_costs(profile);
  ASSERT_EQ(costs.size(), 1U);
  const TaskCost& cost = costs[0];
  EXPECT_EQ(cost.name, "fetch()");
  EXPECT_EQ(cost.tasks, 3);
  EXPECT_EQ(cost.work, 5);
  EXPECT_EQ(cost.blocked, 2);
  EXPECT_EQ(cost.waiting, 450);
  EXPECT_EQ(cost.ready, 50);
  EXPECT_EQ(cost.longest, 4);
  EXPECT_EQ(task_place_words(profile, cost.longest_at), "fetch app.py:10");
  ASSERT_EQ(cost.waits.size(), 3U);
  EXPECT_EQ(cost.waits[0].awaited, "gather");
  EXPECT_EQ(cost.waits[0].at.line, 20U);
  EXPECT_EQ(cost.waits[1].awaited, "sleep");
  EXPECT_EQ(cost.waits[1].time, 100);
  EXPECT_EQ(cost.waits[2].awaited, "its turn");
}

TEST(TaskCosts, BearWhatNoAgentWrites) {
  TaskProfile made;
  const NodeId bare = made.label(NodeId::none(), "task ");
  made.set(bare, "await", 7);
  made.set(bare, "task-step", 5);
  // Not a task, whatever it is called; and asyncio alone.
  made.set(made.frame(NodeId::none(), "app.py", "task x", 1), "await", 9);
  const NodeId own = made.label(NodeId::none(), "task own()");
  made.set(made.frame(own, "asyncio/runners.py", "run", 5), "await", 3);
  made.set(made.label(own, "odd label"), "await", 2);
  const Profile profile = made.finish();
  const std::vector<TaskCost> costs = make_task_costs(profile);
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs[0].name, "");
  EXPECT_EQ(costs[0].waiting, 7);
  EXPECT_EQ(task_place_words(profile, costs[0].waits[0].at), "");
  EXPECT_EQ(costs[1].waits[0].awaited, "");
  EXPECT_EQ(task_place_words(profile, costs[1].waits[0].at), "run asyncio/runners.py:5");
  EXPECT_EQ(costs[1].waits[1].awaited, "odd label");
}

TEST(TaskCosts, AreNoneWithoutTheirMetrics) { EXPECT_TRUE(make_task_costs(Profile()).empty()); }

TEST(BlockedLoop, IsSaidFromATenthOfASecondOnIfSomebodyElseIsThere) {
  for (const auto& [step, tasks, is_said] :
       {std::tuple(99, 2, false), std::tuple(101, 2, true), std::tuple(500, 1, false)}) {
    TaskProfile made;
    const NodeId task = made.label(NodeId::none(), "task load()");
    made.count(task, tasks);
    const NodeId load = made.frame(task, "app.py", "load", 4);
    made.set(load, "task-step", step * kMillisecond);
    made.set(load, "task-blocked", step * kMillisecond);
    const auto found = findings(made.finish(), "blocked-loop");
    ASSERT_EQ(found.size(), is_said ? 1U : 0U) << step;
    if (!is_said) continue;
    EXPECT_EQ(found[0].sentence,
              "Task load() blocks the event loop for up to 101 ms in load app.py:4: no other task "
              "runs meanwhile; await what it waits for, or hand the call to asyncio.to_thread.");
    EXPECT_EQ(found[0].line, 4U);
  }
}

TEST(WaitingTasks, AreSaidWhereWaitingDominates) {
  for (const auto& [work, is_said] : {std::pair(10, true), std::pair(500, false)}) {
    TaskProfile made;
    const NodeId task = made.label(NodeId::none(), "task load()");
    const NodeId load = made.frame(task, "app.py", "load", 4);
    made.set(load, "task-work", work * kMillisecond);
    made.set(made.label(load, "(awaits Future)"), "await", 990 * kMillisecond);
    const auto found = findings(made.finish(), "waiting-tasks");
    ASSERT_EQ(found.size(), is_said ? 1U : 0U) << work;
    if (!is_said) continue;
    EXPECT_EQ(found[0].sentence,
              "Tasks of asyncio wait 99 % of their time, longest load() in load app.py:4 (990 ms "
              "for Future).");
  }
}

}  // namespace
}  // namespace pyrometer
