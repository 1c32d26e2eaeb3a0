#include "collect/own_frames.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace pyrometer {
namespace {

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// An interpreter's thread with frames of its own, which nobody runs.
class Stack {
 public:
  static constexpr std::size_t kInstructions = 16;
  struct Code {
    std::uintptr_t line_table = 0, qualified_name = 0;
    std::array<std::uint16_t, kInstructions> instructions{};
  };
  struct Frame {
    std::uintptr_t code = 0, previous = 0, instruction = 0;
    std::uint8_t owner = Layout::kOwnedByThread;
  };

  static Layout layout() {
    Layout layout;
    layout.thread.frame = 0;
    layout.frame.code = offsetof(Frame, code);
    layout.frame.previous = offsetof(Frame, previous);
    layout.frame.instruction = offsetof(Frame, instruction);
    layout.frame.owner = offsetof(Frame, owner);
    layout.code.line_table = offsetof(Code, line_table);
    layout.code.qualified_name = offsetof(Code, qualified_name);
    layout.code.instructions = offsetof(Code, instructions);
    return layout;
  }

  // The one that is called last is the leaf.
  void call(const Code& code, std::size_t instruction,
            std::uint8_t owner = Layout::kOwnedByThread) {
    frames_.push_back({.code = address_of(&code),
                       .instruction = address_of(&code.instructions.at(instruction)),
                       .owner = owner});
  }
  void leave() { frames_.pop_back(); }

  std::uint64_t hash(CodeTable& codes) {
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      frames_[i].previous = address_of(&frames_[i - 1]);
    }
    const std::uintptr_t leaf = frames_.empty() ? 0 : address_of(&frames_.back());
    return OwnFrames(layout_, codes, address_of(&leaf)).hash();
  }

 private:
  const Layout layout_ = layout();
  std::vector<Frame> frames_;
};

bool other_interpreters_are_there = false;

class OwnFramesTest : public ::testing::Test {
 protected:
  const Layout layout_ = Stack::layout();
  CodeTable codes_{layout_, true, [] { return other_interpreters_are_there; }};
  Stack stack_;

  void TearDown() override { other_interpreters_are_there = false; }
};

// All stacks of up to `depth` frames of two functions, three instructions in each.
void collect_hashes(Stack& stack, CodeTable& codes, const std::array<Stack::Code, 2>& functions,
                    int depth, std::vector<std::uint64_t>& hashes) {
  hashes.push_back(stack.hash(codes));
  if (depth == 0) return;
  for (const Stack::Code& function : functions) {
    for (const std::size_t instruction : {0U, 1U, 2U}) {
      stack.call(function, instruction);
      collect_hashes(stack, codes, functions, depth - 1, hashes);
      stack.leave();
    }
  }
}

TEST_F(OwnFramesTest, EachStackHasAHashOfItsOwn) {
  const std::array<Stack::Code, 2> functions;
  std::vector<std::uint64_t> hashes;
  collect_hashes(stack_, codes_, functions, 6, hashes);
  EXPECT_EQ(hashes.size(), 55'987U);  // 1 + 6 + ... + 6^6
  EXPECT_EQ(std::set(hashes.begin(), hashes.end()).size(), hashes.size());

  std::vector<std::uint64_t> again;
  collect_hashes(stack_, codes_, functions, 6, again);
  EXPECT_EQ(again, hashes);
}

TEST_F(OwnFramesTest, FramesThatHoldNoCodeDoNotCount) {
  const Stack::Code function;
  stack_.call(function, 1);
  const std::uint64_t hash = stack_.hash(codes_);
  stack_.call(function, 2, Layout::kOwnedByInterpreter);
  EXPECT_EQ(stack_.hash(codes_), hash);
}

TEST_F(OwnFramesTest, WhereNobodyTellsOfDeathsTheContentCounts) {
  Stack::Code function;
  stack_.call(function, 1);
  const std::uint64_t hash = stack_.hash(codes_);
  function.line_table = 4096;
  EXPECT_EQ(stack_.hash(codes_), hash);

  other_interpreters_are_there = true;
  const std::uint64_t one = stack_.hash(codes_);
  function.line_table = 8192;
  const std::uint64_t other = stack_.hash(codes_);
  function.qualified_name = 4096;
  EXPECT_EQ((std::set{one, other, stack_.hash(codes_)}.size()), 3U);

  other_interpreters_are_there = false;  // what died meanwhile died unheard
  function.qualified_name = 8192;
  EXPECT_NE(stack_.hash(codes_), other);
}

}  // namespace
}  // namespace pyrometer
