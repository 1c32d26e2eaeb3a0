// Tasks of asyncio: what they are counted as, where, and which task a stack belongs to.
#include <gtest/gtest.h>

#include <map>

#include "collect/task_finder.h"
#include "collect/task_names.h"
#include "collect/task_table.h"

namespace pyrometer {
namespace {

TEST(TaskKind, IsTheNameWithoutItsNumberOrTheCoroutine) {
  EXPECT_EQ(task_kind("Task-17", "main"), "main()");
  EXPECT_EQ(task_kind("", "C.run"), "C.run()");
  EXPECT_EQ(task_kind("Task-17", ""), "(unnamed)");
  EXPECT_EQ(task_kind("Task-", "main"), "Task-");
  EXPECT_EQ(task_kind("Task-1b", "main"), "Task-1b");
  EXPECT_EQ(task_kind("worker-3", "main"), "worker-*");
  EXPECT_EQ(task_kind("worker 3/12", "main"), "worker 3/*");
  EXPECT_EQ(task_kind("stage1", "main"), "stage1");
  EXPECT_EQ(task_kind("\xc3\xa9"
                      "1",
                      "main"),
            "\xc3\xa9"
            "1");
  EXPECT_EQ(task_kind("12", "main"), "*");
  EXPECT_EQ(task_kind(std::string(5000, 'x'), "main").size(), 200U);
}

// What a recorder is told, by path; it keeps its nodes.
class Recorded {
 public:
  std::map<std::string, TaskTable::Values> take(TaskTable& table, std::uint32_t unknown_code = 0) {
    std::map<std::string, TaskTable::Values> told;
    table.take_changes(
        [&](std::uint32_t parent, const TaskTable::Step& step) {
          if (step.label.empty() && step.frame.code == unknown_code) return TaskTable::kNoNode;
          std::string path = parent == TaskTable::kNoNode ? "" : paths_.at(parent) + ";";
          path += step.label.empty() ? std::to_string(step.frame.code) : std::string(step.label);
          paths_.push_back(path);
          return static_cast<std::uint32_t>(paths_.size() - 1);
        },
        [&](std::uint32_t node, const TaskTable::Values& values) {
          told[paths_.at(node)].add(values);
        });
    return told;
  }

 private:
  std::vector<std::string> paths_;
};

TEST(TaskTable, TellsWhatChangedSinceTheLastTime) {
  TaskTable table;
  Recorded recorded;
  const auto kind = table.kind("main()");
  EXPECT_EQ(table.kind("main()"), kind);
  const std::vector<TaskTable::Frame> frames = {{5, 10}, {6, 20}};
  const std::uint32_t place = table.place(kind, frames, "(awaits Future)");
  EXPECT_EQ(table.place(kind, frames, "(awaits Future)"), place);
  EXPECT_NE(table.place(kind, frames, "(awaits gather)"), place);
  table.change(place).waiting += 7;
  table.change(place).longest = 9;
  auto told = recorded.take(table);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told["task main();5;6;(awaits Future)"].waiting, 7);
  EXPECT_EQ(told["task main();5;6;(awaits Future)"].longest, 9);
  EXPECT_TRUE(recorded.take(table).empty());
}

TEST(TaskTable, WaitsForCodeThatIsNotKnownYet) {
  TaskTable table;
  Recorded recorded;
  const std::vector<TaskTable::Frame> frames = {{5, 10}};
  table.change(table.place(table.kind("a"), frames)).work = 3;
  EXPECT_TRUE(recorded.take(table, 5).empty());
  EXPECT_TRUE(table.has_changes());
  table.change(table.place(table.kind("a"), frames)).work += 4;
  EXPECT_EQ(recorded.take(table)["task a;5"].work, 7);
}

TEST(TaskTable, IsBounded) {
  TaskTable table;
  Recorded recorded;
  TaskTable::KindId last = 0;
  for (int i = 0; i < 3000; ++i) {
    last = table.kind("kind " + std::to_string(i));
    table.change(table.place(last, {})).tasks += 1;
  }
  EXPECT_EQ(last, TaskTable::kMostKinds);
  EXPECT_EQ(recorded.take(table)["task (other tasks)"].tasks, 3000 - TaskTable::kMostKinds + 1);
  std::int64_t all = 0;
  for (std::uint32_t i = 0; i < 2 * TaskTable::kMostPlaces; ++i) {
    const std::vector<TaskTable::Frame> frames = {{i + 1, 0}};
    table.change(table.place(1, frames)).waiting += 1;
  }
  for (const auto& [path, values] : recorded.take(table)) all += values.waiting;
  EXPECT_EQ(all, 2 * static_cast<std::int64_t>(TaskTable::kMostPlaces));
}

constexpr std::uintptr_t kRun = 0x1000;
constexpr RawFrame kRunFrame{.code = kRun};

TEST(TaskFinder, KnowsACoroutineByItsCaller) {
  TaskFinder finder;
  // Leaf first: a function, two coroutines, the loop.
  const std::vector<RawFrame> frames = {
      {.code = 1}, {.code = 2, .generator = 64}, {.code = 3, .generator = 128}, kRunFrame, {}};
  EXPECT_FALSE(finder.find(frames));
  finder.prepare(kRun, 0);
  const auto found = finder.find(frames);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->coroutine, 2U);
  EXPECT_EQ(found->innermost, 1U);
  EXPECT_EQ(found->frame, 128U);
  EXPECT_EQ(finder.kind_of(128), 0);
  finder.remember(128, 7);
  EXPECT_EQ(finder.kind_of(128), 7);
  finder.forget_all();
  EXPECT_EQ(finder.kind_of(128), 0);
}

TEST(TaskFinder, AFunctionThatTheLoopCallsIsNoTask) {
  TaskFinder finder;
  finder.prepare(kRun, 0);
  EXPECT_FALSE(finder.find(std::vector<RawFrame>{{.code = 1}, kRunFrame}));
  EXPECT_FALSE(finder.find(std::vector<RawFrame>{kRunFrame}));
  EXPECT_FALSE(finder.find({}));
  // A generator that such a function runs is none either.
  EXPECT_FALSE(
      finder.find(std::vector<RawFrame>{{.code = 2, .generator = 64}, {.code = 1}, kRunFrame}));
}

TEST(TaskFinder, OtherLoopsAreKnownByTheirTasks) {
  TaskFinder finder;
  finder.prepare(kRun, 0);
  const std::vector<RawFrame> frames = {{.code = 1}, {.code = 2, .generator = 64}, {.code = 3}};
  EXPECT_FALSE(finder.find(frames));
  finder.remember(64, 3);
  const auto found = finder.find(frames);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->coroutine, 1U);
  EXPECT_EQ(found->frame, 64U);
}

}  // namespace
}  // namespace pyrometer
