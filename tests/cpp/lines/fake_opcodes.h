// Instructions of an interpreter that does not exist, alike enough to the real ones.
#pragma once

#include "lines/opcodes.h"

namespace pyrometer::testing {

inline Opcodes fake_opcodes(std::uint32_t minor_version = 13) {
  Opcodes opcodes;
  opcodes.minor_version = minor_version;
  opcodes.extended_arg = 1;
  opcodes.load_const = 2;
  opcodes.unary_negative = 3;
  opcodes.pop_top = 4;
  opcodes.nop = 5;
  opcodes.jump_forward = 6;
  opcodes.jump_backward = 7;
  opcodes.jump_backward_no_interrupt = 8;
  opcodes.for_iter = 9;
  opcodes.end_for = 10;
  opcodes.send = 11;
  opcodes.end_async_for = 12;
  opcodes.resume = 13;
  opcodes.return_value = 14;
  opcodes.yield_value = 15;
  opcodes.raise_varargs = 16;
  opcodes.reraise = 17;
  opcodes.call = 18;
  opcodes.load_name = 19;
  opcodes.cache_units[opcodes.for_iter] = 1;
  opcodes.cache_units[opcodes.send] = 1;
  opcodes.cache_units[opcodes.call] = 3;
  opcodes.cache_units[opcodes.jump_backward] = 1;
  opcodes.reference[opcodes.jump_forward] = Opcodes::Reference::kForward;
  opcodes.reference[opcodes.for_iter] = Opcodes::Reference::kForward;
  opcodes.reference[opcodes.send] = Opcodes::Reference::kForward;
  opcodes.reference[opcodes.jump_backward] = Opcodes::Reference::kBackward;
  opcodes.reference[opcodes.jump_backward_no_interrupt] = Opcodes::Reference::kBackward;
  for (const Opcodes::Opcode harmless : {opcodes.nop, opcodes.pop_top, opcodes.load_const}) {
    opcodes.never_raises[harmless] = true;
  }
  return opcodes;
}

}  // namespace pyrometer::testing
