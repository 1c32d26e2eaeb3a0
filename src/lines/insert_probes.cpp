#include <algorithm>
#include <map>

#include "lines/line_events.h"
#include "lines/rewriter.h"

namespace pyrometer {
namespace {

class Rewriter {
 public:
  Rewriter(const Bytecode& original, const Opcodes& opcodes, std::uint32_t constants,
           std::uint32_t first_resume)
      : original_(original),
        opcodes_(opcodes),
        constants_(constants),
        first_resume_(first_resume),
        count_(static_cast<std::uint32_t>(original.instructions.size())),
        events_(original, opcodes, first_resume) {}

  Result<RewrittenBytecode> run() {
    PYROMETER_TRY_VOID(plan_steps());
    plan_resumption_after_throw();
    for (std::uint32_t at = 0; at < count_; ++at) PYROMETER_TRY_VOID(emit_with_probes(at));
    for (const SecondCopy& copy : second_copies_) emit_second_copy(copy);
    for (const Landing& landing : landings_) emit_landing(landing);
    emit_last_handler();
    cover_calls();
    resolve_labels();
    result_.bytecode.first_line = original_.first_line;
    return std::move(result_);
  }

 private:
  // Two ways into each instruction: by its line probe, or past it. Further labels follow.
  using Label = std::uint32_t;
  static Label by_line(std::uint32_t at) { return 2 * at; }
  static Label past_line(std::uint32_t at) { return 2 * at + 1; }
  Label new_label() { return next_label_++; }

  // An exception that arrives where the function is suspended, on its way to its handler.
  struct Landing {
    Label label;
    std::uint32_t line;
    Label handler;
  };

  // Of the instructions between a handler that keeps a position and the use of that.
  struct SecondCopy {
    Label label;
    std::uint32_t begin, end;
  };

  const Instruction& instruction(std::uint32_t at) const { return original_.instructions[at]; }
  bool is(std::uint32_t at, Opcodes::Opcode opcode) const {
    return at < count_ && opcode != 0 && instruction(at).opcode == opcode;
  }

  bool begins_with(Opcodes::Opcode opcode) const {
    return opcode != 0 && (opcode == opcodes_.before_with || opcode == opcodes_.before_async_with ||
                           opcode == opcodes_.load_special);
  }

  void note_step(std::uint32_t from, std::uint32_t to, bool begins_line) {
    if (!begins_line) return;
    has_line_probe_[to] = true;
    if (!comes_back(from, to)) is_begun_[to] = true;
  }

  // Whether a step forward leads back up to a line that an expression over both lines began on
  // (from the last argument of a call to the call itself), or that a `with` block ends on.
  bool comes_back(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t line = instruction(to).line();
    const std::uint32_t last_line = instruction(from).line();
    if (to < from || last_line <= line) return false;
    const auto end = last_lines_.find(line);
    return end != last_lines_.end() && end->second >= last_line;
  }

  Result<void> plan_steps() {
    has_line_probe_.assign(count_, false);
    is_begun_.assign(count_, false);
    for (const Instruction& each : original_.instructions) {
      std::uint32_t& last = last_lines_[each.line()];
      last = begins_with(each.opcode) ? UINT32_MAX : std::max(last, each.place.end_line);
    }
    next_begins_line_.assign(count_ + 1, false);
    jump_begins_line_.assign(count_, false);
    handler_begins_line_.assign(count_, false);
    std::vector<std::uint32_t> ambiguous;
    for (std::uint32_t at = first_resume_; at < count_; ++at) {
      const Instruction& each = instruction(at);
      if (!opcodes_.ends_flow(each.opcode)) {
        if (at + 1 == count_) return unusual("it runs over its end");
        next_begins_line_[at + 1] = events_.begins_line(at, at + 1, Step::kNext);
      }
      const Handler& handler = original_.handlers[at];
      if (handler.target == kNoInstruction) continue;
      const auto begins_line = events_.handler_begins_line(at, handler.target);
      if (!begins_line) {
        ambiguous.push_back(at);
        continue;
      }
      handler_begins_line_[at] = *begins_line;
      note_step(at, handler.target, *begins_line);
    }
    for (std::uint32_t at = first_resume_; at < count_; ++at) {
      const Instruction& each = instruction(at);
      if (!opcodes_.is_jump(each.opcode)) continue;
      if (each.opcode == opcodes_.for_iter && is(each.target, opcodes_.end_for)) {
        // An exhausted iterator leads past END_FOR.
        if (each.target + 1 >= count_) return unusual("a loop ends it");
        next_begins_line_[each.target + 1] = events_.begins_line(at, each.target + 1, Step::kJump);
      } else {
        jump_begins_line_[at] = events_.begins_line(at, each.target, Step::kJump);
        note_step(at, each.target, jump_begins_line_[at]);
      }
    }
    for (const std::uint32_t at : ambiguous) PYROMETER_TRY_VOID(plan_second_copy(at));
    next_begins_line_[first_resume_ + 1] = false;  // the entry probe begins that line
    for (std::uint32_t at = first_resume_ + 1; at < count_; ++at) {
      note_step(at - 1, at, next_begins_line_[at]);
    }
    return {};
  }

  // Whether the handler of `raising` begins a line depends on where the exception first arose,
  // which was kept aside by a few instructions before it (`with a, b:`). Those get a second copy,
  // for the exceptions that begin no line.
  Result<void> plan_second_copy(std::uint32_t raising) {
    if (!events_.restores_position(raising) || events_.keepers_of(raising).size() != 1) {
      return depends_on_origin(raising);
    }
    const std::uint32_t keeper = events_.keepers_of(raising).front();
    for (std::uint32_t at = keeper; at < raising; ++at) {
      const bool is_plain = opcodes_.never_raises[instruction(at).opcode] &&
                            instruction(at).target == kNoInstruction &&
                            !opcodes_.ends_flow(instruction(at).opcode);
      if (!is_plain || next_begins_line_[at + 1]) return depends_on_origin(raising);
    }
    if (keeper > raising) return depends_on_origin(raising);
    const std::uint32_t handler = original_.handlers[raising].target;
    const SecondCopy copy{new_label(), keeper, raising};
    for (std::uint32_t at = 0; at < count_; ++at) {
      if (original_.handlers[at].target != keeper) continue;
      if (opcodes_.never_raises[instruction(at).opcode]) continue;
      const auto begins_line = events_.handler_begins_line(at, handler);
      const auto begins_keeper = events_.handler_begins_line(at, keeper);
      if (!begins_line || !begins_keeper) return depends_on_origin(raising);
      if (*begins_line) continue;
      if (*begins_keeper) return depends_on_origin(raising);
      second_copy_for_[at] = copy.label;
    }
    second_copies_.push_back(copy);
    handler_begins_line_[raising] = true;
    note_step(raising, handler, true);
    return {};
  }

  // On 3.11 `throw()` into `yield from` looks for the SEND before the YIELD_VALUE, and goes on
  // where that would have led.
  void plan_resumption_after_throw() {
    resumed_at_.assign(count_, kNoLabel);
    if (opcodes_.minor_version >= 12) return;
    for (std::uint32_t at = 1; at < count_; ++at) {
      if (!is(at, opcodes_.yield_value) || !is(at - 1, opcodes_.send)) continue;
      resumed_at_[instruction(at - 1).target] = new_label();
    }
  }

  Result<void> emit_with_probes(std::uint32_t at) {
    const Instruction& each = instruction(at);
    const bool is_fallen_into = at > 0 && !opcodes_.ends_flow(instruction(at - 1).opcode);
    if (resumed_at_[at] != kNoLabel) {
      if (is_fallen_into) return unusual("a suspension ends in the middle of something");
      place(resumed_at_[at]);
      emit_probe({ProbeKind::kResume, each.line()}, each.place);
      emit_jump(opcodes_.jump_forward, past_line(at), each.place);
    }
    if (has_line_probe_[at] && is_fallen_into && !next_begins_line_[at]) {
      emit_jump(opcodes_.jump_forward, past_line(at), each.place);
    }
    place(by_line(at));
    if (has_line_probe_[at]) {
      const ProbeKind kind = is_begun_[at] ? ProbeKind::kLine : ProbeKind::kLineAgain;
      emit_probe({kind, each.line()}, each.place);
    }
    place(past_line(at));
    if (opcodes_.is_return(each.opcode) || each.opcode == opcodes_.yield_value) {
      emit_probe({ProbeKind::kExit, 0}, each.place);
    }
    if (is(at, opcodes_.yield_value) && opcodes_.minor_version < 12 && at > 0 &&
        is(at - 1, opcodes_.send)) {
      emit_send_for_throw(at);
    }
    emit_copy(at);
    if (at == first_resume_) {
      // Of the first line, not of `def`: that one would be news to a debugger.
      const SourceRange first = at + 1 < count_ ? instruction(at + 1).place : SourceRange{};
      emit_probe({ProbeKind::kEntry, first.line}, first);
    } else if (at > first_resume_ && each.opcode == opcodes_.resume) {
      emit_probe({ProbeKind::kResume, each.line()}, each.place);
    }
    return {};
  }

  // Never run, only looked at.
  void emit_send_for_throw(std::uint32_t yield) {
    const Label over = new_label();
    const Instruction& send = instruction(yield - 1);
    emit_jump(opcodes_.jump_forward, over, send.place);
    emit_jump(opcodes_.send, resumed_at_[send.target], send.place);
    place(over);
  }

  void emit_copy(std::uint32_t at) {
    Instruction copy = instruction(at);
    if (copy.target != kNoInstruction) {
      copy.target = jump_begins_line_[at] ? by_line(copy.target) : past_line(copy.target);
    }
    emit_copy(at, copy, handler_of(at));
  }
  void emit_copy(std::uint32_t at, const Instruction& copy, const Handler& handler) {
    result_.copies.push_back(
        {at, static_cast<std::uint32_t>(result_.bytecode.instructions.size())});
    emit(copy, handler);
  }

  void emit_second_copy(const SecondCopy& copy) {
    place(copy.label);
    for (std::uint32_t at = copy.begin; at < copy.end; ++at) {
      emit_copy(at, instruction(at), handler_of(at));
    }
    Handler handler = original_.handlers[copy.end];
    handler.target = past_line(handler.target);
    emit_copy(copy.end, instruction(copy.end), handler);
  }

  // Where an exception may arrive before the resume probe ran. On 3.11 `throw()` into `yield from`
  // raises what the inner one raised at the end of the loop that waits for it.
  bool is_suspension(std::uint32_t at) const {
    if (is(at, opcodes_.yield_value) || is(at, opcodes_.resume)) return true;
    return opcodes_.minor_version < 12 && is(at, opcodes_.jump_backward_no_interrupt) && at > 0 &&
           is(at - 1, opcodes_.resume);
  }

  Handler handler_of(std::uint32_t at) {
    Handler handler = original_.handlers[at];
    const Instruction& each = instruction(at);
    const bool is_suspended = is_suspension(at);
    if (handler.target == kNoInstruction) {
      // Before the entry probe, at a suspension and after the exit probe there is nothing to end.
      if (at < first_resume_ || is_suspended || opcodes_.is_return(each.opcode)) return {};
      if (last_handler_ == kNoLabel) last_handler_ = new_label();
      return {last_handler_, 0, true};
    }
    const Label target =
        handler_begins_line_[at] ? by_line(handler.target) : past_line(handler.target);
    handler.target = target;
    if (const auto copy = second_copy_for_.find(at); copy != second_copy_for_.end()) {
      handler.target = copy->second;
    }
    if (is_suspended) {
      handler.target = new_label();
      landings_.push_back({handler.target, each.line(), target});
    }
    return handler;
  }

  void emit_landing(const Landing& landing) {
    place(landing.label);
    emit_probe({ProbeKind::kResume, landing.line}, {});
    emit_jump(opcodes_.jump_backward_no_interrupt, landing.handler, {});
  }

  // For exceptions that leave the function: raised again as if nothing had caught them.
  void emit_last_handler() {
    if (last_handler_ == kNoLabel) return;
    place(last_handler_);
    emit_probe({ProbeKind::kExit, 0}, {});
    emit({.opcode = opcodes_.reraise, .argument = 1}, {});
  }

  // From 3.13 on, what a Python function raises is handled in its caller as if the code unit before
  // the call had raised it: where that belongs to a probe, it must lead to the same handler.
  void cover_calls() {
    auto& handlers = result_.bytecode.handlers;
    std::vector<bool> is_copy(handlers.size(), false);
    for (const auto& [original, copy] : result_.copies) is_copy[copy] = true;
    for (const auto& [original, copy] : result_.copies) {
      if (copy > 0 && !is_copy[copy - 1]) handlers[copy - 1] = handlers[copy];
    }
  }

  void emit_probe(const Probe& probe, const SourceRange& where) {
    const auto [known, is_new] =
        probe_numbers_.try_emplace(probe, static_cast<std::uint32_t>(result_.probes.size()));
    if (is_new) result_.probes.push_back(probe);
    const SourceRange line = line_only(where);
    emit({.opcode = opcodes_.load_const, .argument = constants_ + known->second, .place = line},
         {});
    emit({.opcode = opcodes_.unary_negative, .place = line}, {});
    emit({.opcode = opcodes_.pop_top, .place = line}, {});
  }

  void emit_jump(Opcodes::Opcode opcode, Label label, const SourceRange& where) {
    emit({.opcode = opcode, .target = label, .place = line_only(where)}, {});
  }

  static SourceRange line_only(const SourceRange& range) {
    return {.line = range.line, .end_line = range.line, .has_location = range.line != 0};
  }

  void emit(const Instruction& each, const Handler& handler) {
    result_.bytecode.instructions.push_back(each);
    result_.bytecode.handlers.push_back(handler);
  }

  void place(Label label) {
    if (positions_.size() <= label) positions_.resize(label + 1, kNoInstruction);
    positions_[label] = static_cast<std::uint32_t>(result_.bytecode.instructions.size());
  }

  void resolve_labels() {
    for (Instruction& each : result_.bytecode.instructions) {
      if (each.target != kNoInstruction) each.target = positions_[each.target];
    }
    for (Handler& handler : result_.bytecode.handlers) {
      if (handler.target != kNoInstruction) handler.target = positions_[handler.target];
    }
  }

  static tl::unexpected<Error> unusual(const char* what) {
    return fail(ErrorCode::kUnsupported, "its bytecode is unusual: {}", what);
  }

  tl::unexpected<Error> depends_on_origin(std::uint32_t raising) const {
    return fail(ErrorCode::kUnsupported,
                "whether an exception begins line {} depends on where it came from",
                instruction(original_.handlers[raising].target).line());
  }

  static constexpr Label kNoLabel = UINT32_MAX;

  const Bytecode& original_;
  const Opcodes& opcodes_;
  const std::uint32_t constants_;
  const std::uint32_t first_resume_;
  const std::uint32_t count_;
  const LineEvents events_;
  std::map<std::uint32_t, std::uint32_t> last_lines_;  // by line: where what begins there ends
  std::vector<bool> is_begun_;  // some step begins its line anew, rather than coming back to it
  std::vector<bool> has_line_probe_, next_begins_line_, jump_begins_line_, handler_begins_line_;
  std::vector<Label> resumed_at_;
  std::vector<Landing> landings_;
  std::vector<SecondCopy> second_copies_;
  std::map<std::uint32_t, Label> second_copy_for_;  // by instruction that raises
  Label last_handler_ = kNoLabel;
  Label next_label_ = 2 * count_;
  std::vector<std::uint32_t> positions_;  // by label
  std::map<Probe, std::uint32_t> probe_numbers_;
  RewrittenBytecode result_;
};

}  // namespace

Result<RewrittenBytecode> insert_probes(const Bytecode& original, const Opcodes& opcodes,
                                        std::uint32_t constants) {
  const auto& instructions = original.instructions;
  // Before it a generator expression of 3.15 takes its iterator, which no trace function hears of.
  const auto resume = std::find_if(
      instructions.begin(), instructions.end(),
      [&](const Instruction& each) { return each.opcode == opcodes.resume && each.argument == 0; });
  if (resume == instructions.end()) {
    return fail(ErrorCode::kUnsupported, "its bytecode is unusual: it has no beginning");
  }
  return Rewriter(original, opcodes, constants,
                  static_cast<std::uint32_t>(resume - instructions.begin()))
      .run();
}

}  // namespace pyrometer
