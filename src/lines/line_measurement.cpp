#include "lines/line_measurement.h"

#include "cpython/monitoring_tool.h"
#include "lines/line_watch.h"
#include "lines/rewrite_code.h"

namespace pyrometer {

LineMeasurement::~LineMeasurement() {
  for (auto& [code, known] : known_) {
    if (known.is_watched) unwatch_lines(code, *known.function);
    known.rewritten = {};
    known.function->drop();
  }
}

Result<Reference> LineMeasurement::rewrite(PyObject* code) {
  if (original_of_.contains(code)) return Reference::share(code);
  const auto found = known_.find(code);
  if (found != known_.end() && found->second.rewritten) {
    return Reference::share(found->second.rewritten.get());
  }
  MeasuredFunction* function =
      found == known_.end() ? MeasuredFunction::make(code) : found->second.function;
  auto rewritten = rewrite_code(code, *function);
  if (!rewritten) {
    if (found == known_.end()) function->drop();
    return tl::unexpected(rewritten.error());
  }
  Known& known = remember(code, function);
  known.rewritten = Reference::share(rewritten->get());
  function->engine = LineEngine::kRewritten;  // events serve what began before
  original_of_[known.rewritten.get()] = code;
  return rewritten;
}

LineMeasurement::Known& LineMeasurement::remember(PyObject* code, MeasuredFunction* function) {
  Known& known = known_[code];
  if (known.function == nullptr) {
    known.function = function;
    const std::lock_guard lock(mutex_);
    functions_.push_back(function);
  }
  return known;
}

Result<void> LineMeasurement::watch(PyObject* code, const std::string& reason) {
  const auto found = known_.find(code);
  if (found != known_.end() && found->second.is_watched) return {};
  const bool is_new = found == known_.end();
  MeasuredFunction* function = is_new ? MeasuredFunction::make(code) : found->second.function;
  if (is_new) {
    function->engine = monitoring_module() ? LineEngine::kEvents : LineEngine::kTraceFunction;
    function->reason = reason;
  }
  auto watched = watch_lines(code, *function);
  if (!watched) {
    if (is_new) function->drop();
    return watched;
  }
  remember(code, function).is_watched = true;
  return {};
}

void LineMeasurement::unwatch(PyObject* code) {
  const auto found = known_.find(code);
  if (found == known_.end() || !found->second.is_watched) return;
  found->second.is_watched = false;
  unwatch_lines(code, *found->second.function);
}

MeasuredFunction* LineMeasurement::function_of(PyObject* code) const {
  const auto original = original_of_.find(code);
  const auto known = known_.find(original == original_of_.end() ? code : original->second);
  return known == known_.end() ? nullptr : known->second.function;
}

void LineMeasurement::visit(const std::function<void(const MeasuredFunction&)>& visitor) const {
  std::unique_lock lock(mutex_);
  const std::vector<MeasuredFunction*> functions = functions_;
  lock.unlock();  // the visitor may run Python code, which may add functions
  for (const MeasuredFunction* function : functions) visitor(*function);
}

void LineMeasurement::clear() {
  const std::lock_guard lock(mutex_);
  for (MeasuredFunction* function : functions_) {
    for (MeasuredLine& line : function->lines) line.clear();
  }
}

}  // namespace pyrometer
