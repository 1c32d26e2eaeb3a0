#include "lines/line_activations.h"

#include <memory>

namespace pyrometer {

thread_local LineActivations* LineActivations::own_ [[gnu::tls_model("initial-exec")]] = nullptr;

LineActivations::LineActivations() {
  constexpr std::size_t kFirstSize = 256;
  stack_.resize(kFirstSize);
  top_ = stack_.data();
  top_->line = &outside_;
  end_ = stack_.data() + stack_.size();
}

void LineActivations::make_own() {
  // Dies with its thread, whose Python code is over by then.
  thread_local std::unique_ptr<LineActivations> owner;
  owner = std::make_unique<LineActivations>();
  own_ = owner.get();
}

void LineActivations::grow() {
  const auto used = top_ - stack_.data();
  stack_.resize(stack_.size() * 2);
  top_ = stack_.data() + used;
  end_ = stack_.data() + stack_.size();
}

// Whether an outer activation of this thread is on the same line.
bool LineActivations::is_inside_itself(const Activation& activation) const {
  for (const Activation* outer = &activation; outer-- != stack_.data();) {
    if (outer->line == activation.line) return true;
  }
  return false;
}

// Several sets of probes can be in one function, and greenlets leave in no order: the innermost
// activation that fits is meant.
LineActivations::Activation* LineActivations::find(const MeasuredFunction* function) {
  for (Activation* each = top_; each != stack_.data(); --each) {
    if (each->function == function) return each;
  }
  return nullptr;
}

bool LineActivations::leave_others(const MeasuredFunction* function, std::uint64_t now) {
  const Activation* wanted = find(function);
  if (wanted == nullptr) return false;
  while (top_ != wanted) pop(now);
  return true;
}

void LineActivations::forget() {
  while (top_ != stack_.data()) {
    --top_;
    --top_->line->held;
  }
}

}  // namespace pyrometer
