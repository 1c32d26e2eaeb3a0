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

const pyrometer_memory_table* memory_library = nullptr;

}  // namespace

void LineActivations::measure_memory(const pyrometer_memory_table& library) {
  memory_library = &library;
}

bool LineActivations::measures_memory() { return memory_library != nullptr; }

constinit thread_local LineActivations* LineActivations::own_ [[gnu::tls_model("initial-exec")]] =
    nullptr;

LineActivations::LineActivations()
    : memory_(memory_library == nullptr ? nullptr : memory_library->own_thread()) {
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

void LineActivations::begin_line(const MeasuredFunction* function, MeasuredLine* line) {
  Activation* activation = top_->function == function ? top_ : find(function);
  if (activation == nullptr) return;
  const std::uint64_t now = clock_.read();
  charge(*activation, now);
  activation->line = line;
  activation->since = now;
  line->hits.add(1);
  if (memory_ != nullptr) mark_memory(*activation);
}

// Of the process, with what this thread did last.
std::int64_t LineActivations::memory_level() const {
  return memory_library->heap() + memory_->live - memory_->published;
}

void LineActivations::mark_memory(Activation& activation) const {
  activation.memory = {memory_->live, memory_->allocated, memory_->most_live};
  memory_->most_live = memory_->live;
}

// The level at which a function was called is that of its first line, where it is defined.
void LineActivations::note_level_of_call(MeasuredFunction& function) const {
  LineMemory* figures = function.prologue.memory.get();
  if (figures == nullptr) return;
  const std::int64_t level = memory_level();
  figures->level.raise_to(level);
  if (function.level_at_first_call.get() == 0) function.level_at_first_call.add(level);
}

void LineActivations::charge_memory(const Activation& activation, bool is_nested) const {
  const MemoryMark& mark = activation.memory;
  const std::int64_t grown = memory_->live - mark.live;
  const std::int64_t allocated = memory_->allocated - mark.allocated;
  const std::int64_t peak = memory_->most_live - mark.live;
  memory_->most_live = std::max(memory_->most_live, mark.most_before);
  LineMemory* figures = activation.line->memory.get();
  if (figures == nullptr || activation.line == &activation.line->function->prologue) return;
  figures->level.raise_to(memory_level());
  figures->peak.raise_to(peak);
  if (is_nested) return;
  figures->increment.add(grown);
  figures->temporary.add(std::min(allocated, allocated - grown));
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
