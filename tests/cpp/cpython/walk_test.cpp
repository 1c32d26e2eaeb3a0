#include "cpython/walk.h"

#include <gtest/gtest.h>

#include "support/fake_interpreter.h"

namespace pyrometer {
namespace {

using testing::FakeCode;
using testing::FakeFrame;
using testing::FakeInterpreter;

class WalkTest : public ::testing::Test {
 protected:
  WalkTest() : main(python.add_code("main")), solve(python.add_code("solve")) {
    python.call(main, 5);
    python.call(solve, 7);
  }

  WalkStatus status() { return python.walk(frames).status; }

  FakeInterpreter python;
  FakeCode& main;
  FakeCode& solve;
  std::array<RawFrame, 16> frames;
};

TEST_F(WalkTest, FindsFramesFromLeafToRoot) {
  const Walk walk = python.walk(frames);
  ASSERT_EQ(walk.status, WalkStatus::kComplete);
  ASSERT_EQ(walk.depth, 2);
  EXPECT_EQ(frames[0].code, reinterpret_cast<std::uintptr_t>(&solve));
  EXPECT_EQ(frames[0].instruction, 14);
  EXPECT_EQ(frames[1].code, reinterpret_cast<std::uintptr_t>(&main));
  EXPECT_EQ(frames[1].instruction, 10);
}

TEST_F(WalkTest, FollowsGeneratorsOutsideTheDataStack) {
  python.resume_generator(solve);
  python.call(main);
  const Walk walk = python.walk(frames);
  EXPECT_EQ(walk.status, WalkStatus::kComplete);
  EXPECT_EQ(walk.depth, 4);
}

TEST_F(WalkTest, ClearsTagBitsOfCodePointers) {
  python.leaf()->code |= 1;
  EXPECT_EQ(status(), WalkStatus::kComplete);
  EXPECT_EQ(frames[0].code, reinterpret_cast<std::uintptr_t>(&solve));
}

TEST_F(WalkTest, TellsADeepStackFromAWholeOne) {
  const Walk walk = python.walk(std::span(frames).first(1));
  EXPECT_EQ(walk.status, WalkStatus::kTruncated);
  EXPECT_EQ(walk.depth, 1);
}

TEST_F(WalkTest, AThreadWithoutFramesIsComplete) {
  python.set_leaf(nullptr);
  const Walk walk = python.walk(frames);
  EXPECT_EQ(walk.status, WalkStatus::kComplete);
  EXPECT_EQ(walk.depth, 0);
}

TEST_F(WalkTest, RejectsAChainThatEndsTooEarly) {
  python.leaf()->previous = nullptr;  // a generator between two stores looks like this
  EXPECT_EQ(status(), WalkStatus::kRejected);
}

TEST_F(WalkTest, EndsAtTheBaseFrameWhereThereIsOne) {
  FakeFrame base;
  base.owner = Layout::kOwnedByInterpreter;
  python.layout().chain_end = ChainEnd::kBaseFrame;
  python.set_base(&base);
  EXPECT_EQ(status(), WalkStatus::kRejected);  // ends at an entry frame: not whole
  python.entry().previous = &base;
  EXPECT_EQ(status(), WalkStatus::kComplete);
  base.previous = python.leaf();
  EXPECT_EQ(status(), WalkStatus::kRejected);
}

TEST_F(WalkTest, RejectsFramesThatDoNotDescend) {
  python.leaf()->previous->previous = python.leaf();  // a loop
  EXPECT_EQ(status(), WalkStatus::kRejected);
}

TEST_F(WalkTest, RejectsFramesAboveTheTopOfTheDataStack) {
  FakeFrame beyond = *python.leaf();
  python.leaf()[1] = beyond;
  python.set_leaf(python.leaf() + 1);
  EXPECT_EQ(status(), WalkStatus::kRejected);
}

TEST_F(WalkTest, RejectsPointersToNowhere) {
  for (const std::uintptr_t nowhere : {std::uintptr_t{8}, std::uintptr_t{0xdeadbeef0000},
                                       reinterpret_cast<std::uintptr_t>(python.leaf()) + 3}) {
    FakeFrame* leaf = python.leaf();
    python.set_leaf(reinterpret_cast<FakeFrame*>(nowhere));
    EXPECT_EQ(status(), WalkStatus::kRejected) << nowhere;
    python.set_leaf(leaf);
    const std::uintptr_t code = leaf->code;
    leaf->code = nowhere;
    EXPECT_EQ(status(), WalkStatus::kRejected) << nowhere;
    leaf->code = code;
  }
  EXPECT_EQ(status(), WalkStatus::kComplete);
}

TEST_F(WalkTest, RejectsCodeThatIsNoCode) {
  solve.type = &solve;
  EXPECT_EQ(status(), WalkStatus::kRejected);
}

TEST_F(WalkTest, RejectsInstructionsOutsideTheirCode) {
  python.leaf()->instruction = solve.instructions + 32;
  EXPECT_EQ(status(), WalkStatus::kRejected);
  python.leaf()->instruction = solve.instructions - 2;
  EXPECT_EQ(status(), WalkStatus::kRejected);
  python.leaf()->instruction = solve.instructions - 1;  // not begun yet
  EXPECT_EQ(status(), WalkStatus::kComplete);
}

TEST_F(WalkTest, RejectsWrongOwners) {
  python.leaf()->owner = Layout::kOwnedByGenerator;
  EXPECT_EQ(status(), WalkStatus::kRejected);
}

TEST_F(WalkTest, AnotherThreadsMemoryGivesTheSameFrames) {
  OtherThreadMemory memory;
  FrameWalker walker(memory, python.layout(), python.thread_state(), python.stack());
  const Walk walk = walker.walk(frames);
  ASSERT_EQ(walk.status, WalkStatus::kComplete);
  EXPECT_EQ(walk.depth, 2);
  EXPECT_EQ(frames[1].code, reinterpret_cast<std::uintptr_t>(&main));
}

}  // namespace
}  // namespace pyrometer
