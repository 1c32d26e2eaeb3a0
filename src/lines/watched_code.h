// The code whose lines are measured by events, and what is known of it.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "cpython/line_table.h"
#include "lines/line_activations.h"
#include "lines/measured_function.h"

namespace pyrometer {

struct WatchedCode {
  std::vector<SourceRange> places;
  std::vector<MeasuredFunction*> functions;  // several profilers can watch the same code

  std::uint32_t line_at(std::uint32_t byte_offset) const {
    return line_of(places, static_cast<std::int32_t>(byte_offset / 2), 0);
  }
};

// With the GIL.
class WatchedCodes {
 public:
  static WatchedCodes& all();

  bool is_empty() const { return codes_.empty(); }
  const WatchedCode* find(PyObject* code) const {
    const auto found = codes_.find(code);
    return found == codes_.end() ? nullptr : &found->second;
  }
  // Whether it is the first, or was the last, of this code.
  bool add(PyObject* code, MeasuredFunction& function);
  bool remove(PyObject* code, MeasuredFunction& function);

  // What the interpreter says happened in watched code of the calling thread.
  static void begin_line(const WatchedCode& watched, std::uint32_t line);
  static void enter(const WatchedCode& watched);
  static void resume(const WatchedCode& watched, std::uint32_t line);
  static void leave(const WatchedCode& watched);

 private:
  std::unordered_map<PyObject*, WatchedCode> codes_;
};

// Per version; with the GIL. Begin to, and no longer, take events of this code.
Result<void> start_line_monitoring(PyObject* code);
void stop_line_monitoring(PyObject* code);
Result<void> start_trace_function();
void stop_trace_function();

}  // namespace pyrometer
