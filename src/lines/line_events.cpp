#include "lines/line_events.h"

#include <algorithm>

namespace pyrometer {

LineEvents::LineEvents(const Bytecode& bytecode, const Opcodes& opcodes, std::uint32_t first_resume)
    : bytecode_(bytecode), opcodes_(opcodes), first_resume_(first_resume) {
  if (opcodes_.minor_version >= 12) mark_starts();
  find_kept_positions();
}

// From 3.12 on only some instructions can begin a line: where the line differs from that of the
// instruction before it in memory, where jumps lead, and where exceptions are handled.
void LineEvents::mark_starts() {
  const auto count = static_cast<std::uint32_t>(bytecode_.instructions.size());
  may_start_line_.assign(count, false);
  const auto never_starts = [&](std::uint32_t at) {
    const Opcodes::Opcode opcode = instruction(at).opcode;
    return opcode == opcodes_.end_async_for || opcode == opcodes_.end_for ||
           opcode == opcodes_.end_send || opcode == opcodes_.resume ||
           (opcode == opcodes_.pop_iter && opcodes_.pop_iter != 0);
  };
  std::uint32_t line = 0;
  for (std::uint32_t at = first_resume_; at < count; ++at) {
    if (never_starts(at)) continue;
    may_start_line_[at] = instruction(at).line() != line && instruction(at).line() != 0;
    line = instruction(at).line();
  }
  const auto mark = [&](std::uint32_t at) {
    const bool is_last_of_loop =
        instruction(at).opcode == opcodes_.pop_iter && opcodes_.pop_iter != 0;
    if (at > first_resume_ && instruction(at).line() != 0 && !is_last_of_loop) {
      may_start_line_[at] = true;
    }
  };
  for (std::uint32_t at = first_resume_; at < count; ++at) {
    const Instruction& each = instruction(at);
    if (opcodes_.is_jump(each.opcode)) {
      const bool skips_one = each.opcode == opcodes_.for_iter || each.opcode == opcodes_.send;
      const std::uint32_t target = each.target + (skips_one ? 1 : 0);
      if (target < count) mark(target);
    }
    const std::uint32_t handler = bytecode_.handlers[at].target;
    if (handler != kNoInstruction && instruction(handler).opcode != opcodes_.end_async_for) {
      mark(handler);
    }
  }
}

bool LineEvents::begins_line(std::uint32_t from, std::uint32_t to, Step step) const {
  const std::uint32_t line = instruction(to).line();
  if (line == 0) return false;
  const std::uint32_t last_line = instruction(from).line();
  if (opcodes_.minor_version < 12) {
    if (from <= first_resume_ || line != last_line) return true;
    return to < from && instruction(to).opcode != opcodes_.send;
  }
  if (step == Step::kJump && instruction(from).opcode == opcodes_.jump_backward &&
      line == last_line) {
    return true;
  }
  if (!may_start_line_[to]) return false;
  return line != last_line || instruction(from).opcode == opcodes_.resume;
}

// Follows each handler that keeps the position to where that is used.
void LineEvents::find_kept_positions() {
  const auto count = static_cast<std::uint32_t>(bytecode_.instructions.size());
  kept_by_.resize(count);
  std::vector<std::uint32_t> keepers;
  for (const Handler& handler : bytecode_.handlers) {
    if (handler.target != kNoInstruction && handler.keeps_position) {
      keepers.push_back(handler.target);
    }
  }
  std::sort(keepers.begin(), keepers.end());
  keepers.erase(std::unique(keepers.begin(), keepers.end()), keepers.end());
  for (const std::uint32_t keeper : keepers) {
    std::vector<bool> is_seen(count, false);
    std::vector<std::uint32_t> open = {keeper};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (at >= count || is_seen[at]) continue;
      is_seen[at] = true;
      const Instruction& each = instruction(at);
      if (restores_position(at)) kept_by_[at].push_back(keeper);
      if (opcodes_.is_jump(each.opcode)) open.push_back(each.target);
      if (!opcodes_.ends_flow(each.opcode)) open.push_back(at + 1);
    }
  }
}

void LineEvents::add_positions(std::uint32_t raising, std::vector<std::uint32_t>& positions,
                               std::vector<bool>& is_seen) const {
  if (is_seen[raising]) return;
  is_seen[raising] = true;
  if (!restores_position(raising) || kept_by_[raising].empty()) {
    positions.push_back(raising);
    return;
  }
  for (const std::uint32_t keeper : kept_by_[raising]) {
    for (std::uint32_t at = 0; at < bytecode_.handlers.size(); ++at) {
      const Handler& handler = bytecode_.handlers[at];
      const bool leads_here = handler.target == keeper && handler.keeps_position;
      if (leads_here && !opcodes_.never_raises[instruction(at).opcode]) {
        add_positions(at, positions, is_seen);
      }
    }
  }
}

std::optional<bool> LineEvents::handler_begins_line(std::uint32_t from,
                                                    std::uint32_t handler) const {
  if (instruction(handler).line() == 0) return false;
  std::vector<std::uint32_t> positions;
  std::vector<bool> is_seen(bytecode_.instructions.size(), false);
  add_positions(from, positions, is_seen);
  std::size_t beginnings = 0;
  for (const std::uint32_t position : positions) {
    // From 3.13 on a suspended function stands behind its YIELD_VALUE.
    const bool is_thrown_in =
        opcodes_.minor_version >= 13 && instruction(position).opcode == opcodes_.yield_value;
    const std::uint32_t seen = position + (is_thrown_in ? 1 : 0);
    if (begins_line(seen, handler, Step::kException)) ++beginnings;
  }
  if (beginnings != 0 && beginnings != positions.size()) return std::nullopt;
  return beginnings != 0;
}

}  // namespace pyrometer
