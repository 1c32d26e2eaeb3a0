#include "lines/line_activations.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

// There is no Python here; functions without code need none.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming)
void Py_IncRef(PyObject*) {}
void Py_DecRef(PyObject*) {}
// NOLINTEND(readability-identifier-naming)
}

namespace pyrometer {
namespace {

struct Function {
  explicit Function(std::size_t lines) {
    for (std::uint32_t line = 1; line <= lines; ++line) {
      MeasuredLine& added = measured.lines.emplace_back();
      added.function = &measured;
      added.line = line;
    }
    measured.prologue.function = &measured;
  }
  MeasuredLine& line(std::size_t number) { return measured.lines[number - 1]; }
  std::int64_t self() const {
    std::int64_t sum = measured.prologue.self();
    for (const MeasuredLine& line : measured.lines) sum += line.self();
    return sum;
  }
  bool is_free() const {
    for (const MeasuredLine& line : measured.lines) {
      if (line.held != 0) return false;
    }
    return measured.prologue.held == 0;
  }

  MeasuredFunction measured;
};

void wait_a_little() {
  const CycleCounter& clock = CycleCounter::own();
  const std::uint64_t end = clock.read() + 2000;
  while (clock.read() < end) {
  }
}

TEST(LineActivations, TheTimeOfACallIsTheLinesAndTheCallees) {
  Function outer(2), inner(1);
  LineActivations thread;
  thread.enter(&outer.measured, &outer.line(1), true);
  wait_a_little();
  thread.begin_line(&outer.measured, &outer.line(2));
  thread.enter(&inner.measured, &inner.line(1), true);
  EXPECT_EQ(outer.line(2).held, 1);
  wait_a_little();
  thread.leave(&inner.measured);
  thread.leave(&outer.measured);
  EXPECT_EQ(outer.line(1).hits.get(), 1);
  EXPECT_EQ(outer.line(2).hits.get(), 1);
  EXPECT_EQ(inner.line(1).hits.get(), 1);
  EXPECT_GE(outer.line(1).time.get(), 2000);
  EXPECT_GE(outer.line(2).time.get(), inner.line(1).time.get());
  EXPECT_EQ(outer.line(2).callee.get(), inner.line(1).time.get());
  EXPECT_EQ(inner.line(1).self(), inner.line(1).time.get());
  EXPECT_EQ(outer.line(2).self(), outer.line(2).time.get() - inner.line(1).time.get());
  EXPECT_TRUE(outer.is_free());
}

TEST(LineActivations, RecursionIsCountedOnce) {
  Function function(2);
  LineActivations thread;
  const std::uint64_t began = CycleCounter::own().read();
  constexpr int kDepth = 50;
  for (int i = 0; i < kDepth; ++i) {
    thread.enter(&function.measured, &function.line(1), true);
    wait_a_little();
    thread.begin_line(&function.measured, &function.line(2));  // calls itself
  }
  for (int i = 0; i < kDepth; ++i) thread.leave(&function.measured);
  const auto elapsed = static_cast<std::int64_t>(CycleCounter::own().read() - began);
  EXPECT_EQ(function.line(2).hits.get(), kDepth);
  EXPECT_LE(function.line(2).time.get(), elapsed);
  EXPECT_LE(function.line(1).time.get(), elapsed);
  EXPECT_GE(function.line(1).time.get(), kDepth * 2000);
  EXPECT_LE(function.self(), elapsed);
  EXPECT_GE(function.self(), kDepth * 2000);
  EXPECT_GE(function.line(2).self(), 0);
  EXPECT_TRUE(function.is_free());
}

TEST(LineActivations, GeneratorsTakeNoTimeWhileTheyWait) {
  Function caller(1), generator(2);
  LineActivations thread;
  thread.enter(&caller.measured, &caller.line(1), true);
  thread.enter(&generator.measured, &generator.line(1), true);
  thread.leave(&generator.measured);  // yields
  for (int i = 0; i < 20; ++i) wait_a_little();
  thread.enter(&generator.measured, &generator.line(1), false);  // goes on there
  thread.begin_line(&generator.measured, &generator.line(2));
  thread.leave(&generator.measured);
  thread.leave(&caller.measured);
  EXPECT_EQ(generator.line(1).hits.get(), 1);
  EXPECT_EQ(generator.line(2).hits.get(), 1);
  EXPECT_LT(generator.line(1).time.get(), caller.line(1).time.get() - 20 * 2000);
  EXPECT_EQ(caller.line(1).callee.get(), generator.self());
}

TEST(LineActivations, GrowsAsDeepAsItMust) {
  Function function(1), other(1);
  LineActivations thread;
  constexpr int kDepth = 5000;
  for (int i = 0; i < kDepth; ++i) {
    thread.enter(&function.measured, &function.line(1), true);
    thread.enter(&other.measured, &other.line(1), true);
  }
  for (int i = 0; i < kDepth; ++i) {
    thread.leave(&other.measured);
    thread.leave(&function.measured);
  }
  EXPECT_EQ(function.line(1).hits.get(), kDepth);
  EXPECT_EQ(other.line(1).hits.get(), kDepth);
  EXPECT_TRUE(function.is_free());
  EXPECT_TRUE(other.is_free());
  thread.enter(&function.measured, &function.line(1), true);
  thread.leave(&function.measured);
  EXPECT_TRUE(function.is_free());
}

TEST(LineActivations, LeavingOneLeavesWhatIsInsideIt) {
  Function outer(1), inner(1), stranger(1);
  LineActivations thread;
  thread.enter(&outer.measured, &outer.line(1), true);
  thread.enter(&inner.measured, &inner.line(1), true);
  thread.leave(&stranger.measured);  // never entered
  EXPECT_TRUE(thread.is_inside(&inner.measured));
  thread.begin_line(&stranger.measured, &stranger.line(1));
  EXPECT_EQ(stranger.line(1).hits.get(), 0);
  thread.begin_line(&outer.measured, &outer.line(1));  // of two sets of probes in one function
  EXPECT_EQ(outer.line(1).hits.get(), 2);
  thread.leave(&outer.measured);
  EXPECT_FALSE(thread.is_inside(&inner.measured));
  EXPECT_FALSE(thread.is_inside(&outer.measured));
  EXPECT_TRUE(outer.is_free());
}

TEST(LineActivations, ForgetsWhatRuns) {
  Function function(1);
  LineActivations thread;
  for (int i = 0; i < 3; ++i) thread.enter(&function.measured, &function.line(1), true);
  thread.forget();
  EXPECT_FALSE(thread.is_inside(&function.measured));
  EXPECT_TRUE(function.is_free());
  thread.leave(&function.measured);  // the child unwinds what its parent entered
  EXPECT_TRUE(function.is_free());
}

TEST(LineActivations, OpenLinesOfAllThreadsAreSeen) {
  Function here(2), there(1);
  LineActivations thread;
  thread.enter(&here.measured, &here.line(1), true);
  thread.begin_line(&here.measured, &here.line(2));
  thread.enter(&here.measured, &here.line(2), true);  // the same line again: the outer one counts
  std::map<const MeasuredLine*, int> seen;
  std::thread([&] {
    LineActivations::own().enter(&there.measured, &there.line(1), true);
    LineActivations::visit_open([&](const MeasuredLine& line, std::uint64_t) { ++seen[&line]; });
    LineActivations::own().leave(&there.measured);
  }).join();
  EXPECT_EQ(seen, (std::map<const MeasuredLine*, int>{{&here.line(2), 1}, {&there.line(1), 1}}));
  seen.clear();
  LineActivations::visit_open([&](const MeasuredLine& line, std::uint64_t) { ++seen[&line]; });
  EXPECT_EQ(seen.size(), 1);  // that thread is gone
}

}  // namespace
}  // namespace pyrometer
