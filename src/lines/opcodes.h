// What the rewriter must know of the running interpreter's instructions. Read from Python's own
// `opcode` module, so that a new version needs no table of ours.
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"

namespace pyrometer {

struct Opcodes {
  using Opcode = std::uint8_t;
  enum class Reference : std::uint8_t { kNone, kForward, kBackward };

  std::uint32_t minor_version = 0;
  std::array<std::uint8_t, 256> cache_units{};  // that follow an instruction
  std::array<Reference, 256> reference{};       // to another instruction, by distance
  std::array<bool, 256> never_raises{};         // known to

  // 0, which no version uses for these, where the interpreter has no such instruction.
  Opcode extended_arg = 0, load_const = 0, unary_negative = 0, pop_top = 0, nop = 0;
  Opcode jump_forward = 0, jump_backward = 0, jump_backward_no_interrupt = 0;
  Opcode for_iter = 0, end_for = 0, pop_iter = 0, send = 0, end_send = 0, end_async_for = 0;
  Opcode resume = 0, return_value = 0, return_const = 0, yield_value = 0;
  Opcode raise_varargs = 0, reraise = 0;
  Opcode load_name = 0, load_global = 0, load_attr = 0, store_name = 0, store_global = 0;
  Opcode import_name = 0, import_from = 0, call = 0;
  Opcode before_with = 0, before_async_with = 0, load_special = 0;  // where `with` begins

  bool is_jump(Opcode opcode) const {
    return reference[opcode] != Reference::kNone && opcode != end_async_for;
  }
  bool is_return(Opcode opcode) const {
    return opcode == return_value || (opcode == return_const && return_const != 0);
  }
  // Whether the instruction after it is never reached from it.
  bool ends_flow(Opcode opcode) const {
    return is_return(opcode) || opcode == raise_varargs || opcode == reraise ||
           opcode == jump_forward || opcode == jump_backward ||
           opcode == jump_backward_no_interrupt;
  }
};

// With the GIL. Leaves no Python error.
Result<Opcodes> read_opcodes();

}  // namespace pyrometer
