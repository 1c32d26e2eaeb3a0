// The hot path: which line of which measured function a thread is on, one entry per activation.
//
// A line begins: the time since the last event belongs to the line before it, in the same
// activation. One read of the processor's counter, no lock, no allocation. The time of what a
// line calls is the line's, too; what a measured function takes is also noted as its caller's
// line's callees', so that both sums can be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "lines/measured_function.h"
#include "os/cycle_counter.h"
#include "os/memory_table.h"

namespace pyrometer {

class LineActivations {
 public:
  LineActivations();
  LineActivations(const LineActivations&) = delete;
  LineActivations& operator=(const LineActivations&) = delete;
  ~LineActivations();

  // From now on memory is measured, too, by threads and functions that are met later.
  static void measure_memory(const pyrometer_memory_table& library);
  static bool measures_memory();

  // Of the calling thread.
  static LineActivations& own() {
    if (own_ == nullptr) [[unlikely]]
      make_own();
    return *own_;
  }

  // The ordinary case, without a call to anything. False: nothing happened, and begin_line()
  // must be asked.
  static bool try_begin_line(const MeasuredFunction* function, MeasuredLine* line) {
    const LineActivations* thread = own_;
    if (thread == nullptr) [[unlikely]]
      return false;
    Activation* activation = thread->top_;
    MeasuredLine* last = activation->line;
    const bool is_ordinary = activation->function == function && last->held == 0 &&
                             thread->memory_ == nullptr && thread->clock_.is_steady();
    if (!is_ordinary) [[unlikely]]
      return false;
    const std::uint64_t now = CycleCounter::read_steady();
    last->time.add(static_cast<std::int64_t>(now - activation->since));
    activation->line = line;
    activation->since = now;
    line->hits.add(1);
    return true;
  }
  void begin_line(const MeasuredFunction* function, MeasuredLine* line);

  // `line`: the one that begins with it.
  void call(MeasuredFunction* function, MeasuredLine* line, bool is_hit) {
    function->prologue.hits.add(1);
    if (memory_ != nullptr) [[unlikely]]
      note_level_of_call(*function);
    enter(function, line, is_hit);
  }
  // Likewise where it goes on, or was running when measuring began.
  void enter(MeasuredFunction* function, MeasuredLine* line, bool is_hit) {
    if (top_ + 1 == end_) [[unlikely]]
      grow();
    ++top_->line->held;
    ++top_;
    top_->function = function;
    top_->line = line;
    if (is_hit) line->hits.add(1);
    if (memory_ != nullptr) [[unlikely]]
      mark_memory(*top_);
    top_->since = top_->entered = clock_.read();
  }

  void leave(const MeasuredFunction* function) {
    const std::uint64_t now = clock_.read();
    if (top_->function != function) [[unlikely]] {
      if (!leave_others(function, now)) return;
    }
    pop(now);
  }

  bool is_inside(const MeasuredFunction* function) {
    return top_->function == function || find(function) != nullptr;
  }

  // Nothing that runs now is measured any further.
  void forget();
  // In a forked child, which has one thread: forgets it, and that there were others.
  static void restart_after_fork();

  // Lines that have not ended yet and since when, of all threads; from any thread, which may see
  // a moment ago.
  static void visit_open(const std::function<void(const MeasuredLine&, std::uint64_t)>& visitor);

 private:
  // The thread's memory when a line began.
  struct MemoryMark {
    std::int64_t live = 0, allocated = 0;
    std::int64_t most_before = 0;  // the highest level until then, of whoever called
  };
  struct Activation {
    MeasuredFunction* function = nullptr;
    MeasuredLine* line = nullptr;
    std::uint64_t since = 0;    // the line began
    std::uint64_t entered = 0;  // the function
    MemoryMark memory;
  };

  void charge(const Activation& activation, std::uint64_t now) {
    const auto passed = static_cast<std::int64_t>(now - activation.since);
    MeasuredLine& line = *activation.line;
    const bool is_nested = line.held != 0 && is_inside_itself(activation);
    (is_nested ? line.nested : line.time).add(passed);
    if (memory_ != nullptr) [[unlikely]]
      charge_memory(activation, is_nested);
  }

  void pop(std::uint64_t now) {
    charge(*top_, now);
    const auto passed = static_cast<std::int64_t>(now - top_->entered);
    --top_;
    --top_->line->held;
    top_->line->callee.add(passed);
  }

  bool is_inside_itself(const Activation& activation) const;
  std::int64_t memory_level() const;
  void mark_memory(Activation& activation) const;
  void note_level_of_call(MeasuredFunction& function) const;
  void charge_memory(const Activation& activation, bool is_nested) const;
  Activation* find(const MeasuredFunction* function);
  bool leave_others(const MeasuredFunction* function, std::uint64_t now);
  void grow();
  void use(Activation* block, std::ptrdiff_t depth);
  static void make_own();

  // What every probe needs comes first, together.
  Activation* top_ = nullptr;
  pyrometer_thread_memory* const memory_;  // nullptr: not measured
  const CycleCounter clock_ = CycleCounter::own();
  Activation* end_ = nullptr;
  std::vector<std::unique_ptr<Activation[]>> blocks_;  // the last one is used; readers may lag
  std::size_t size_ = 256;
  Activation* bottom_ = nullptr;  // belongs to no function
  MeasuredLine outside_;

  // NOLINTNEXTLINE(readability-identifier-naming): a private member like the others.
  static constinit thread_local LineActivations* own_ [[gnu::tls_model("initial-exec")]];
};

}  // namespace pyrometer
