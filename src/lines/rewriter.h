// Puts probes into a function's bytecode: at every point where a trace function would be told of
// a line, and wherever the function is entered, left, suspended or resumed.
//
// A probe is three instructions: load a constant of ours, negate it, drop the result. What
// happens is the constant's business (probes.h). It needs one place on the stack, cannot raise
// and leaves everything as it was.
#pragma once

#include <cstdint>
#include <vector>

#include "lines/bytecode.h"

namespace pyrometer {

enum class ProbeKind : std::uint8_t {
  kLine,
  kLineAgain,  // back to the first line of a statement over several
  kEntry,
  kResume,
  kExit
};
inline constexpr std::size_t kProbeKinds = 5;

struct Probe {
  ProbeKind kind = ProbeKind::kLine;
  std::uint32_t line = 0;  // that runs from here; 0: none yet

  friend auto operator<=>(const Probe&, const Probe&) = default;
};

struct RewrittenBytecode {
  Bytecode bytecode;
  std::vector<Probe> probes;  // constants after the function's own, in this order
  struct Copy {
    std::uint32_t original = 0, copy = 0;
  };
  std::vector<Copy> copies;  // each instruction of the original, once or more
};

// `constants`: how many the function has. An error says what we are not sure of.
Result<RewrittenBytecode> insert_probes(const Bytecode& original, const Opcodes& opcodes,
                                        std::uint32_t constants);

// Looks at what was made with fresh eyes: without the probes it must be what it was, in every
// step, jump, handler and source position.
Result<void> check_rewritten(const Bytecode& original, const Bytecode& rewritten,
                             const std::vector<RewrittenBytecode::Copy>& copies,
                             const Opcodes& opcodes, std::uint32_t constants);

// Places on the stack that probes and the handler of unhandled exceptions need.
constexpr std::uint32_t stack_size_with_probes(std::uint32_t stack_size) {
  return stack_size + 1 < 3 ? 3 : stack_size + 1;
}

}  // namespace pyrometer
