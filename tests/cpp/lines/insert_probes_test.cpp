#include <gtest/gtest.h>

#include <algorithm>

#include "lines/fake_opcodes.h"
#include "lines/rewriter.h"

namespace pyrometer {
namespace {

using testing::fake_opcodes;

constexpr std::uint32_t kConstants = 5;

SourceRange on_line(std::uint32_t line) {
  return {.line = line, .end_line = line, .has_location = true};
}

// try: call() over two lines, except: pass
Bytecode caught_call(const Opcodes& opcodes) {
  Bytecode code{.first_line = 1};
  code.instructions = {
      {.opcode = opcodes.resume, .place = on_line(1)},
      {.opcode = opcodes.nop, .place = on_line(2)},
      {.opcode = opcodes.load_name, .place = on_line(3)},
      {.opcode = opcodes.load_const, .place = on_line(4)},
      {.opcode = opcodes.call, .argument = 1, .place = on_line(3)},
      {.opcode = opcodes.return_value, .place = on_line(3)},
      {.opcode = opcodes.pop_top, .place = on_line(5)},
      {.opcode = opcodes.load_const, .place = on_line(6)},
      {.opcode = opcodes.return_value, .place = on_line(6)},
  };
  code.handlers.resize(code.instructions.size());
  for (std::size_t at = 2; at < 5; ++at) code.handlers[at] = {6, 0, false};
  return code;
}

std::size_t count_of(const RewrittenBytecode& rewritten, Opcodes::Opcode opcode) {
  const auto& all = rewritten.bytecode.instructions;
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const Instruction& each) { return each.opcode == opcode; }));
}

Result<RewrittenBytecode> rewritten_of(const Bytecode& code, const Opcodes& opcodes) {
  return insert_probes(code, opcodes, kConstants);
}

TEST(InsertProbes, OneForEachLineTheEntryAndTheExits) {
  const Opcodes opcodes = fake_opcodes();
  const Bytecode code = caught_call(opcodes);
  const auto rewritten = rewritten_of(code, opcodes);
  ASSERT_TRUE(rewritten) << rewritten.error().message;
  EXPECT_TRUE(check_rewritten(code, rewritten->bytecode, rewritten->copies, opcodes, kConstants));
  const auto has = [&](ProbeKind kind, std::uint32_t line) {
    return std::find(rewritten->probes.begin(), rewritten->probes.end(), Probe{kind, line}) !=
           rewritten->probes.end();
  };
  EXPECT_TRUE(has(ProbeKind::kEntry, 2));
  for (const std::uint32_t line : {3U, 4U, 5U, 6U}) EXPECT_TRUE(has(ProbeKind::kLine, line));
  EXPECT_FALSE(has(ProbeKind::kLine, 2));  // the entry begins it
  EXPECT_TRUE(has(ProbeKind::kExit, 0));
  EXPECT_EQ(count_of(*rewritten, opcodes.return_value), 2);
}

TEST(InsertProbes, TheUnitBeforeACallHasItsHandler) {
  const Opcodes opcodes = fake_opcodes();
  const auto rewritten = rewritten_of(caught_call(opcodes), opcodes);
  ASSERT_TRUE(rewritten);
  const auto& all = rewritten->bytecode.instructions;
  for (std::size_t at = 1; at < all.size(); ++at) {
    if (all[at].opcode != opcodes.call) continue;
    EXPECT_EQ(all[at - 1].opcode, opcodes.pop_top);  // of a probe
    EXPECT_EQ(rewritten->bytecode.handlers[at - 1], rewritten->bytecode.handlers[at]);
    EXPECT_NE(rewritten->bytecode.handlers[at].target, kNoInstruction);
  }
}

TEST(InsertProbes, WhatHasNoBeginningOrEndIsRefused) {
  const Opcodes opcodes = fake_opcodes();
  Bytecode code = caught_call(opcodes);
  code.instructions[0].opcode = opcodes.nop;
  EXPECT_FALSE(rewritten_of(code, opcodes));
  code = caught_call(opcodes);
  code.instructions.back().opcode = opcodes.nop;
  EXPECT_FALSE(rewritten_of(code, opcodes));
}

// Each change of one thing is found.
TEST(CheckRewritten, FindsWhatIsNotAsItWas) {
  const Opcodes opcodes = fake_opcodes();
  const Bytecode code = caught_call(opcodes);
  const auto made = rewritten_of(code, opcodes);
  ASSERT_TRUE(made);
  const auto is_right = [&](const RewrittenBytecode& changed) {
    const auto checked =
        check_rewritten(code, changed.bytecode, changed.copies, opcodes, kConstants);
    return static_cast<bool>(checked);
  };
  ASSERT_TRUE(is_right(*made));
  for (const auto& [original, copy] : made->copies) {
    RewrittenBytecode changed = *made;
    changed.bytecode.instructions[copy].opcode = opcodes.yield_value;
    EXPECT_FALSE(is_right(changed)) << original;
    changed = *made;
    changed.bytecode.instructions[copy].argument += 1;
    EXPECT_FALSE(is_right(changed)) << original;
    changed = *made;
    changed.bytecode.instructions[copy].place.line += 1;
    EXPECT_FALSE(is_right(changed)) << original;
    if (code.handlers[original].target == kNoInstruction) continue;
    changed = *made;
    changed.bytecode.handlers[copy].depth += 1;
    EXPECT_FALSE(is_right(changed)) << original;
    changed = *made;
    changed.bytecode.handlers[copy].target = 0;
    EXPECT_FALSE(is_right(changed)) << original;
  }
  RewrittenBytecode changed = *made;
  changed.copies.pop_back();
  EXPECT_FALSE(is_right(changed));
}

}  // namespace
}  // namespace pyrometer
