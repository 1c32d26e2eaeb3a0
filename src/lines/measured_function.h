// What was measured of one function: a row per line that can run. Shared by the probes in its
// rewritten code and by whoever shows the figures; freed with the last of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cpython/gil_count.h"
#include "cpython/python_api.h"

namespace pyrometer {

struct MeasuredFunction;

// What a line did with memory, in bytes, where that is measured.
struct LineMemory {
  GilCount level;      // of the process after the line, the most seen
  GilCount increment;  // what the line's thread holds more, with calls, recursion counted once
  GilCount peak;       // above the level at the line's beginning while it ran, the most seen
  GilCount temporary;  // allocated, and freed again, while the line ran

  void clear() {
    for (GilCount* each : {&level, &increment, &peak, &temporary}) each->clear();
  }
};

// Times are counts of the clock (os/cycle_counter.h). One line of the processor's cache.
struct alignas(64) MeasuredLine {
  MeasuredFunction* function = nullptr;
  std::uint32_t line = 0;
  // How many activations are inside a measured call from this line: time of the line that passes
  // inside such a call is theirs already.
  std::int32_t held = 0;
  GilCount hits;
  GilCount returns;  // hits among these that came back within one statement
  GilCount time;     // with calls, recursion counted once
  GilCount nested;   // inside an outer activation that was on this line itself
  GilCount callee;   // of measured functions called from here
  std::unique_ptr<LineMemory> memory;

  std::int64_t self() const { return time.get() + nested.get() - callee.get(); }
  void clear() {
    for (GilCount* each : {&hits, &returns, &time, &nested, &callee}) each->clear();
    if (memory) memory->clear();
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
  // Before the first line; has no row of its own. Its hits are the calls, its level the most at
  // one of them.
  MeasuredLine prologue;
  GilCount level_at_first_call;
  MeasuredFunction* table = nullptr;  // whose rows its lines are, kept alive; nullptr: its own
  int users = 0;

  MeasuredFunction() = default;
  MeasuredFunction(const MeasuredFunction&) = delete;
  MeasuredFunction& operator=(const MeasuredFunction&) = delete;
  ~MeasuredFunction() {
    if (table != nullptr) table->drop();
  }

  MeasuredLine* line(std::uint32_t number);  // 0, or none of its lines: the prologue
  void clear();

  // With one user. `inner`: code that is defined inside it, whose lines get rows, too.
  static MeasuredFunction* make(PyObject* code, bool with_memory,
                                const std::vector<PyObject*>& inner = {});
  // One of those, without rows of its own.
  static MeasuredFunction* make_inner(PyObject* code, bool with_memory, MeasuredFunction& table);
  void keep() { ++users; }
  void drop() {
    if (--users == 0) delete this;
  }
};

}  // namespace pyrometer
