#include "lines/rewriter.h"

namespace pyrometer {
namespace {

struct Checker {
  const Bytecode& original;
  const Bytecode& rewritten;
  const std::vector<RewrittenBytecode::Copy>& copies;
  const Opcodes& opcodes;
  std::uint32_t constants;
  std::vector<std::uint32_t> original_of{};  // by instruction of the rewritten one

  static Result<void> differs(std::uint32_t at) {
    return fail(ErrorCode::kUnsupported, "a check of the rewritten instruction {} failed", at);
  }

  bool is_probe_at(std::uint32_t at) const {
    const auto& all = rewritten.instructions;
    return at + 2 < all.size() && all[at].opcode == opcodes.load_const &&
           all[at].argument >= constants && all[at + 1].opcode == opcodes.unary_negative &&
           all[at + 2].opcode == opcodes.pop_top;
  }

  // The first instruction of the original that is reached from here; none when it is the last
  // handler's end, or when something is in the way.
  std::uint32_t follow(std::uint32_t at) const {
    for (std::size_t steps = 0; steps < rewritten.instructions.size(); ++steps) {
      if (at >= rewritten.instructions.size()) return kNoInstruction;
      if (original_of[at] != kNoInstruction) return original_of[at];
      const Instruction& each = rewritten.instructions[at];
      if (is_probe_at(at)) {
        at += 3;
      } else if (each.opcode == opcodes.jump_forward ||
                 each.opcode == opcodes.jump_backward_no_interrupt) {
        at = each.target;
      } else {
        return kNoInstruction;
      }
    }
    return kNoInstruction;
  }

  // Whether an exception from here is only seen, and leaves the function.
  bool leaves(const Handler& handler) const {
    if (handler.target == kNoInstruction) return true;
    const std::uint32_t end = handler.target + 3;
    return handler.depth == 0 && handler.keeps_position && is_probe_at(handler.target) &&
           end < rewritten.instructions.size() && original_of[end] == kNoInstruction &&
           rewritten.instructions[end].opcode == opcodes.reraise &&
           rewritten.instructions[end].argument == 1;
  }

  static bool same_place(const SourceRange& a, const SourceRange& b) {
    return a.line == b.line && a.end_line == b.end_line && a.column == b.column &&
           a.end_column == b.end_column && a.has_location == b.has_location;
  }

  bool is_same(std::uint32_t at, std::uint32_t copy) const {
    const Instruction& before = original.instructions[at];
    const Instruction& after = rewritten.instructions[copy];
    if (before.opcode != after.opcode || !same_place(before.place, after.place)) return false;
    if (before.target == kNoInstruction ? before.argument != after.argument
                                        : follow(after.target) != before.target) {
      return false;
    }
    if (!opcodes.ends_flow(before.opcode) && follow(copy + 1) != at + 1) return false;
    const Handler& handled_before = original.handlers[at];
    const Handler& handled = rewritten.handlers[copy];
    const bool follows_probe = copy > 0 && original_of[copy - 1] == kNoInstruction;
    if (follows_probe && rewritten.handlers[copy - 1] != handled) return false;
    if (handled_before.target == kNoInstruction) return leaves(handled);
    return handled.target != kNoInstruction && handled.depth == handled_before.depth &&
           handled.keeps_position == handled_before.keeps_position &&
           follow(handled.target) == handled_before.target;
  }

  Result<void> run() {
    original_of.assign(rewritten.instructions.size(), kNoInstruction);
    std::vector<bool> is_there(original.instructions.size(), false);
    for (const auto& [at, copy] : copies) {
      if (copy >= original_of.size() || at >= is_there.size()) return differs(at);
      original_of[copy] = at;
      is_there[at] = true;
    }
    for (std::uint32_t at = 0; at < is_there.size(); ++at) {
      if (!is_there[at]) return differs(at);
    }
    for (const auto& [at, copy] : copies) {
      if (!is_same(at, copy)) return differs(at);
    }
    return {};
  }
};

}  // namespace

Result<void> check_rewritten(const Bytecode& original, const Bytecode& rewritten,
                             const std::vector<RewrittenBytecode::Copy>& copies,
                             const Opcodes& opcodes, std::uint32_t constants) {
  return Checker{original, rewritten, copies, opcodes, constants}.run();
}

}  // namespace pyrometer
