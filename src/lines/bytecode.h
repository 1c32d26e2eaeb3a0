// A code object's instructions, taken apart so that others can be put between them, and put
// together again: jumps and exception handlers name instructions, not distances.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cpython/line_table.h"
#include "lines/opcodes.h"

namespace pyrometer {

inline constexpr std::uint32_t kNoInstruction = UINT32_MAX;

struct Instruction {
  Opcodes::Opcode opcode = 0;
  std::uint32_t argument = 0;             // of jumps: made when they are put together
  std::uint32_t target = kNoInstruction;  // that a jump refers to
  SourceRange place;

  std::uint32_t line() const { return place.line; }
};

// Where an exception in an instruction leads.
struct Handler {
  std::uint32_t target = kNoInstruction;  // none: out of the function
  std::uint32_t depth = 0;                // of the stack there
  bool keeps_position = false;            // of what raised, on the stack

  friend bool operator==(const Handler&, const Handler&) = default;
};

struct Bytecode {
  std::uint32_t first_line = 0;
  std::vector<Instruction> instructions;
  std::vector<Handler> handlers;  // by instruction
};

struct CodeTables {
  std::string code, lines, exceptions;
};

// Anything that does not fit together is an error, never a guess.
Result<Bytecode> decode_bytecode(const CodeTables& tables, std::uint32_t first_line,
                                 const Opcodes& opcodes);
Result<CodeTables> encode_bytecode(Bytecode bytecode, const Opcodes& opcodes);

}  // namespace pyrometer
