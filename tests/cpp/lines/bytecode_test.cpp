#include "lines/bytecode.h"

#include <gtest/gtest.h>

#include <random>

#include "lines/fake_opcodes.h"

namespace pyrometer {
namespace {

using testing::fake_opcodes;

class RandomCode {
 public:
  explicit RandomCode(std::uint32_t seed) : random_(seed) {}

  Bytecode make(std::uint32_t count) {
    Bytecode code{.first_line = 10};
    for (std::uint32_t at = 0; at < count; ++at) {
      code.instructions.push_back(instruction(at, count));
      code.handlers.emplace_back();
    }
    for (int i = 0; i < 4 && count > 1; ++i) {
      const std::uint32_t begin = below(count - 1);
      const Handler handler{below(count), below(100), below(2) == 1};
      const std::uint32_t end = begin + below(count - begin);
      for (std::uint32_t at = begin; at < end; ++at) {
        code.handlers[at] = handler;
      }
    }
    return code;
  }

  std::uint32_t below(std::uint32_t limit) {
    return limit == 0 ? 0 : static_cast<std::uint32_t>(random_() % limit);
  }

 private:
  Instruction instruction(std::uint32_t at, std::uint32_t count) {
    Instruction made{.opcode = opcodes_.load_const};
    switch (below(6)) {
      case 0:
        if (at + 1 < count) {
          made.opcode = below(2) == 0 ? opcodes_.jump_forward : opcodes_.for_iter;
          made.target = at + 1 + below(count - at - 1);
        }
        break;
      case 1:
        made.opcode = opcodes_.jump_backward;
        made.target = below(at + 1);
        break;
      case 2: made.argument = below(0x1000000); break;
      case 3:
        made.opcode = opcodes_.call;
        made.argument = below(300);
        break;
      default: made.argument = below(256);
    }
    made.place = place();
    return made;
  }

  SourceRange place() {
    const std::uint32_t line = 1 + below(200);
    switch (below(3)) {
      case 0: return {};
      case 1: return {.line = line, .end_line = line, .has_location = true};
      default: break;
    }
    return {.line = line,
            .end_line = line + below(5),
            .column = static_cast<std::int32_t>(below(200)),
            .end_column = static_cast<std::int32_t>(below(200)),
            .has_location = true};
  }

  std::mt19937 random_;
  const Opcodes opcodes_ = fake_opcodes();
};

void expect_equal(const Bytecode& found, const Bytecode& expected) {
  ASSERT_EQ(found.instructions.size(), expected.instructions.size());
  for (std::size_t at = 0; at < expected.instructions.size(); ++at) {
    SCOPED_TRACE(at);
    const Instruction& ours = found.instructions[at];
    const Instruction& theirs = expected.instructions[at];
    ASSERT_EQ(ours.opcode, theirs.opcode);
    ASSERT_EQ(ours.target, theirs.target);
    if (theirs.target == kNoInstruction) {
      ASSERT_EQ(ours.argument, theirs.argument);
    }
    ASSERT_EQ(ours.place.has_location, theirs.place.has_location);
    ASSERT_EQ(ours.place.line, theirs.place.line);
    ASSERT_EQ(ours.place.end_line, theirs.place.end_line);
    ASSERT_EQ(ours.place.column, theirs.place.column);
    ASSERT_EQ(ours.place.end_column, theirs.place.end_column);
    ASSERT_EQ(found.handlers[at], expected.handlers[at]);
  }
}

TEST(Bytecode, WhatIsPutTogetherComesApartAgain) {
  const Opcodes opcodes = fake_opcodes();
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomCode random(seed);
    const Bytecode code = random.make(1 + random.below(400));
    const auto tables = encode_bytecode(code, opcodes);
    ASSERT_TRUE(tables) << tables.error().message;
    const auto decoded = decode_bytecode(*tables, code.first_line, opcodes);
    ASSERT_TRUE(decoded) << decoded.error().message;
    expect_equal(*decoded, code);
  }
}

TEST(Bytecode, LongJumpsPushEachOtherOverTheLimit) {
  const Opcodes opcodes = fake_opcodes();
  for (const std::uint32_t count : {120U, 250U, 260U, 33'000U, 70'000U}) {
    Bytecode code{.first_line = 1};
    for (std::uint32_t at = 0; at < count; ++at) {
      const bool is_jump = at % 2 == 0 && at + 1 < count;
      code.instructions.push_back({.opcode = is_jump ? opcodes.jump_forward : opcodes.jump_backward,
                                   .target = is_jump ? count - 1 : 0});
    }
    code.handlers.assign(count, {count - 1, 3, true});
    const auto tables = encode_bytecode(code, opcodes);
    ASSERT_TRUE(tables) << count;
    const auto decoded = decode_bytecode(*tables, 1, opcodes);
    ASSERT_TRUE(decoded) << count;
    expect_equal(*decoded, code);
  }
}

TEST(Bytecode, AJumpCannotTurnRound) {
  const Opcodes opcodes = fake_opcodes();
  Bytecode code{.first_line = 1};
  code.instructions = {{.opcode = opcodes.nop}, {.opcode = opcodes.jump_forward, .target = 0}};
  code.handlers.resize(2);
  EXPECT_FALSE(encode_bytecode(code, opcodes));
  code.instructions = {{.opcode = opcodes.jump_backward, .target = 2},
                       {.opcode = opcodes.nop},
                       {.opcode = opcodes.nop}};
  code.handlers.resize(3);
  EXPECT_FALSE(encode_bytecode(code, opcodes));
}

void expect_within_bounds(const Bytecode& code) {
  ASSERT_EQ(code.handlers.size(), code.instructions.size());
  for (const Instruction& each : code.instructions) {
    ASSERT_TRUE(each.target == kNoInstruction || each.target < code.instructions.size());
  }
  for (const Handler& each : code.handlers) {
    ASSERT_TRUE(each.target == kNoInstruction || each.target < code.instructions.size());
  }
}

TEST(Bytecode, CutTablesAreRefusedOrFit) {
  const Opcodes opcodes = fake_opcodes();
  const auto whole = encode_bytecode(RandomCode(7).make(60), opcodes);
  ASSERT_TRUE(whole);
  for (std::string CodeTables::*table :
       {&CodeTables::code, &CodeTables::lines, &CodeTables::exceptions}) {
    for (std::size_t cut = 0; cut < ((*whole).*table).size(); ++cut) {
      CodeTables tables = *whole;
      (tables.*table).resize(cut);
      if (const auto decoded = decode_bytecode(tables, 10, opcodes)) expect_within_bounds(*decoded);
    }
  }
}

TEST(Bytecode, SpoiltTablesAreRefusedOrFit) {
  const Opcodes opcodes = fake_opcodes();
  std::mt19937 random(3);
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const auto whole = encode_bytecode(RandomCode(seed).make(50), opcodes);
    ASSERT_TRUE(whole);
    for (int i = 0; i < 200; ++i) {
      CodeTables tables = *whole;
      for (std::string CodeTables::*table :
           {&CodeTables::code, &CodeTables::lines, &CodeTables::exceptions}) {
        std::string& bytes = tables.*table;
        if (!bytes.empty()) bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      if (const auto decoded = decode_bytecode(tables, 10, opcodes)) expect_within_bounds(*decoded);
    }
  }
}

std::string message_of(const CodeTables& tables) {
  const auto decoded = decode_bytecode(tables, 1, fake_opcodes());
  return decoded ? std::string() : decoded.error().message;
}

TEST(Bytecode, SaysWhatIsWrong) {
  const Opcodes opcodes = fake_opcodes();
  const auto unit = [](Opcodes::Opcode opcode, int argument) {
    return std::string{static_cast<char>(opcode), static_cast<char>(argument)};
  };
  const std::string nop = unit(opcodes.nop, 0);
  EXPECT_NE(message_of({}).find("too early"), std::string::npos);
  EXPECT_NE(message_of({.code = unit(opcodes.extended_arg, 1)}).find("too early"),
            std::string::npos);
  EXPECT_NE(message_of({.code = unit(opcodes.call, 0) + nop}).find("too early"), std::string::npos);
  EXPECT_NE(message_of({.code = unit(opcodes.jump_forward, 9) + nop}).find("out of it"),
            std::string::npos);
  EXPECT_NE(message_of({.code = nop + unit(opcodes.jump_backward_no_interrupt, 3)}).find("out of"),
            std::string::npos);
  const std::string call = unit(opcodes.call, 0) + std::string(6, '\0');
  EXPECT_NE(message_of({.code = unit(opcodes.jump_forward, 2) + call + nop}).find("into"),
            std::string::npos);
  const std::string huge(4, '\x7f');  // five digits at most
  EXPECT_NE(message_of({.code = nop, .exceptions = huge}).find("too early"), std::string::npos);
  const std::string outside = {'\x00', '\x02', '\x00', '\x00'};
  EXPECT_NE(message_of({.code = nop, .exceptions = outside}).find("does not fit"),
            std::string::npos);
}

}  // namespace
}  // namespace pyrometer
