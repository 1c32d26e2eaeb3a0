#include "lines/line_activations.h"

#include <algorithm>
#include <mutex>

namespace pyrometer {
namespace {

std::mutex all_mutex;
std::vector<LineActivations*>& all() {
  static auto* threads = new std::vector<LineActivations*>;  // outlives every thread
  return *threads;
}

}  // namespace

constinit thread_local LineActivations* LineActivations::own_ [[gnu::tls_model("initial-exec")]] =
    nullptr;

LineActivations::LineActivations() {
  blocks_.push_back(std::make_unique<Activation[]>(size_));
  use(blocks_.back().get(), 0);
  top_->line = &outside_;
  const std::lock_guard lock(all_mutex);
  all().push_back(this);
}

LineActivations::~LineActivations() {
  own_ = nullptr;
  const std::lock_guard lock(all_mutex);
  all().erase(std::remove(all().begin(), all().end(), this), all().end());
}

void LineActivations::make_own() {
  // Dies with its thread, whose Python code is over by then.
  thread_local std::unique_ptr<LineActivations> owner;
  owner = std::make_unique<LineActivations>();
  own_ = owner.get();
}

void LineActivations::grow() {
  auto larger = std::make_unique<Activation[]>(size_ * 2);
  std::copy(bottom_, bottom_ + size_, larger.get());
  const std::lock_guard lock(all_mutex);
  size_ *= 2;
  use(larger.get(), top_ - bottom_);
  blocks_.push_back(std::move(larger));
}

void LineActivations::use(Activation* block, std::ptrdiff_t depth) {
  bottom_ = block;
  top_ = block + depth;
  end_ = block + size_;
}

void LineActivations::begin_line(MeasuredLine* line) {
  Activation* activation = top_->function == line->function ? top_ : find(line->function);
  if (activation == nullptr) return;
  const std::uint64_t now = clock_.read();
  charge(*activation, now);
  activation->line = line;
  activation->since = now;
  line->hits.add(1);
}

// Whether an outer activation of this thread is on the same line.
bool LineActivations::is_inside_itself(const Activation& activation) const {
  for (const Activation* outer = &activation; outer-- != bottom_;) {
    if (outer->line == activation.line) return true;
  }
  return false;
}

// Several sets of probes can be in one function, and greenlets leave in no order: the innermost
// activation that fits is meant.
LineActivations::Activation* LineActivations::find(const MeasuredFunction* function) {
  for (Activation* each = top_; each != bottom_; --each) {
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
  while (top_ != bottom_) {
    --top_;
    --top_->line->held;
  }
}

void LineActivations::restart_after_fork() {
  LineActivations& thread = own();
  thread.forget();
  const std::lock_guard lock(all_mutex);
  all().assign(1, &thread);
}

void LineActivations::visit_open(
    const std::function<void(const MeasuredLine&, std::uint64_t)>& visitor) {
  const std::lock_guard lock(all_mutex);
  for (const LineActivations* thread : all()) {
    const Activation* end = thread->top_ + 1;
    std::vector<const MeasuredLine*> seen;
    for (const Activation* each = thread->bottom_ + 1; each < end; ++each) {
      const MeasuredLine* line = each->line;
      const std::uint64_t since = each->since;
      if (line == nullptr || std::find(seen.begin(), seen.end(), line) != seen.end()) continue;
      seen.push_back(line);
      visitor(*line, since);
    }
  }
}

}  // namespace pyrometer
