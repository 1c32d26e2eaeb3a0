// What was measured of one function: a row per line that can run. Shared by the probes in its
// rewritten code and by whoever shows the figures; freed with the last of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>

#include "cpython/python_api.h"

namespace pyrometer {

// Written by whoever runs the line, which holds the GIL; the recording's thread reads without.
class LineCount {
 public:
  void add(std::int64_t more) { value_.store(get() + more, std::memory_order_relaxed); }
  std::int64_t get() const { return value_.load(std::memory_order_relaxed); }
  void clear() { value_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

struct MeasuredFunction;

// Times are counts of the clock (os/cycle_counter.h). One line of the processor's cache.
struct alignas(64) MeasuredLine {
  MeasuredFunction* function = nullptr;
  std::uint32_t line = 0;
  // How many activations are inside a measured call from this line: time of the line that passes
  // inside such a call is theirs already.
  std::int32_t held = 0;
  LineCount hits;
  LineCount returns;  // hits among these that came back within one statement
  LineCount time;     // with calls, recursion counted once
  LineCount nested;   // inside an outer activation that was on this line itself
  LineCount callee;   // of measured functions called from here

  std::int64_t self() const { return time.get() + nested.get() - callee.get(); }
  void clear() {
    for (LineCount* each : {&hits, &returns, &time, &nested, &callee}) each->clear();
  }
};

enum class LineEngine : std::uint8_t { kRewritten, kEvents, kTraceFunction };

struct MeasuredFunction {
  Reference original;  // its code
  std::string name, qualified_name, file;
  std::uint32_t first_line = 0;
  std::uint32_t first_column = 0;  // column + 1, tells lambdas of one line apart; 0: unknown
  std::atomic<LineEngine> engine = LineEngine::kRewritten;
  std::string reason;                   // why it was not rewritten
  std::atomic<bool> is_chosen = false;  // by name or decorator, not only with everything else
  std::deque<MeasuredLine> lines;       // all that can ever run, in order; none is added later
  MeasuredLine prologue;                // before the first line; shown nowhere
  int users = 0;

  MeasuredLine* line(std::uint32_t number);  // 0, or none of its lines: the prologue

  static MeasuredFunction* make(PyObject* code);  // with one user
  void keep() { ++users; }
  void drop() {
    if (--users == 0) delete this;
  }
};

}  // namespace pyrometer
