// When the interpreter reports a new line to a trace function: a property of each step from one
// instruction to the next, and so known before the code runs. Versions differ; these are their
// rules, which the probes must reproduce.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lines/bytecode.h"

namespace pyrometer {

enum class Step : std::uint8_t { kNext, kJump, kException };

class LineEvents {
 public:
  LineEvents(const Bytecode& bytecode, const Opcodes& opcodes, std::uint32_t first_resume);

  // Whether the line of `to` is reported when it is reached from `from`.
  bool begins_line(std::uint32_t from, std::uint32_t to, Step step) const;

  // Whether `handler` begins a line when the exception comes from `from`, whose position may be
  // one that was put aside earlier. Nothing when that depends on what happens at run time.
  std::optional<bool> handler_begins_line(std::uint32_t from, std::uint32_t handler) const;

  // Raises again what was put aside.
  bool restores_position(std::uint32_t at) const {
    return instruction(at).opcode == opcodes_.reraise && instruction(at).argument > 0;
  }
  // Of such an instruction: the handlers that put a position there.
  const std::vector<std::uint32_t>& keepers_of(std::uint32_t at) const { return kept_by_[at]; }

 private:
  void mark_starts();
  void find_kept_positions();
  void add_positions(std::uint32_t raising, std::vector<std::uint32_t>& positions,
                     std::vector<bool>& is_seen) const;
  const Instruction& instruction(std::uint32_t at) const { return bytecode_.instructions[at]; }

  const Bytecode& bytecode_;
  const Opcodes& opcodes_;
  std::uint32_t first_resume_;
  std::vector<bool> may_start_line_;  // by instruction; 3.12 and newer
  std::vector<std::vector<std::uint32_t>> kept_by_;
};

}  // namespace pyrometer
