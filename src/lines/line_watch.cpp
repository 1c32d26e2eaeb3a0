#include "lines/line_watch.h"

#include <algorithm>

#include "cpython/monitoring_tool.h"
#include "cpython/python_text.h"
#include "lines/watched_code.h"

namespace pyrometer {

WatchedCodes& WatchedCodes::all() {
  static auto* codes = new WatchedCodes;  // events may come until the very end
  return *codes;
}

bool WatchedCodes::add(PyObject* code, MeasuredFunction& function) {
  const auto [place, is_new] = codes_.try_emplace(code);
  if (is_new) {
    place->second.places =
        decode_line_table(bytes_attribute(code, "co_linetable"), function.first_line);
  }
  place->second.functions.push_back(&function);
  return is_new;
}

bool WatchedCodes::remove(PyObject* code, MeasuredFunction& function) {
  const auto found = codes_.find(code);
  if (found == codes_.end()) return false;
  std::vector<MeasuredFunction*>& functions = found->second.functions;
  functions.erase(std::remove(functions.begin(), functions.end(), &function), functions.end());
  if (!functions.empty()) return false;
  codes_.erase(found);
  return true;
}

void WatchedCodes::begin_line(const WatchedCode& watched, std::uint32_t line) {
  LineActivations& activations = LineActivations::own();
  for (MeasuredFunction* function : watched.functions) {
    MeasuredLine* measured = function->line(line);
    // It may have begun before we watched.
    if (activations.is_inside(function)) {
      activations.begin_line(function, measured);
    } else {
      activations.enter(function, measured, true);
    }
  }
}

void WatchedCodes::enter(const WatchedCode& watched) {
  for (MeasuredFunction* function : watched.functions) {
    LineActivations::own().call(function, &function->prologue, false);
  }
}

void WatchedCodes::resume(const WatchedCode& watched, std::uint32_t line) {
  for (MeasuredFunction* function : watched.functions) {
    LineActivations::own().enter(function, function->line(line), false);
  }
}

void WatchedCodes::leave(const WatchedCode& watched) {
  // As if each were inside the one before it.
  for (std::size_t i = watched.functions.size(); i > 0; --i) {
    LineActivations::own().leave(watched.functions[i - 1]);
  }
}

Result<void> watch_lines(PyObject* code, MeasuredFunction& function) {
  WatchedCodes& codes = WatchedCodes::all();
  const bool has_monitoring = static_cast<bool>(monitoring_module());
  if (codes.add(code, function)) {
    auto started = has_monitoring ? start_line_monitoring(code) : start_trace_function();
    if (!started) {
      codes.remove(code, function);
      return started;
    }
  }
  return {};
}

void unwatch_lines(PyObject* code, MeasuredFunction& function) {
  if (!WatchedCodes::all().remove(code, function)) return;
  if (monitoring_module()) {
    stop_line_monitoring(code);
  } else {
    stop_trace_function();
  }
}

}  // namespace pyrometer
