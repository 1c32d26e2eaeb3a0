#include "lines/line_measurement.h"

#include <utility>

#include "cpython/monitoring_tool.h"
#include "lines/code_constants.h"
#include "lines/line_activations.h"
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

MeasuredFunction* LineMeasurement::make(PyObject* code) const {
  return MeasuredFunction::make(
      code, LineActivations::measures_memory(),
      inner_ == Inner::kIncluded ? codes_inside(code) : std::vector<PyObject*>());
}

Result<Reference> LineMeasurement::rewrite(PyObject* code) {
  if (original_of_.contains(code)) return Reference::share(code);
  const auto found = known_.find(code);
  if (found != known_.end() && found->second.rewritten) {
    return Reference::share(found->second.rewritten.get());
  }
  const bool is_new = found == known_.end();
  MeasuredFunction* function = is_new ? make(code) : found->second.function;
  const Reference changed =
      inner_ == Inner::kIncluded
          ? with_changed_codes(code,
                               [&](PyObject* inner) { return rewritten_inner(inner, *function); })
          : Reference::share(code);
  auto rewritten = rewrite_code(changed.get(), *function);
  if (!rewritten) {
    if (is_new) function->drop();
    return tl::unexpected(rewritten.error());
  }
  Known& known = remember(code, function);
  known.rewritten = Reference::share(rewritten->get());
  function->engine = LineEngine::kRewritten;  // events serve what began before
  original_of_[known.rewritten.get()] = code;
  return rewritten;
}

MeasuredFunction& LineMeasurement::find_inner(PyObject* code, MeasuredFunction& table) {
  const auto found = known_.find(code);
  if (found != known_.end()) return *found->second.function;
  MeasuredFunction* function =
      MeasuredFunction::make_inner(code, LineActivations::measures_memory(), table);
  return *remember(code, function).function;
}

// Where that is impossible it is watched; what no engine can measure has no rows, which says it.
Reference LineMeasurement::rewritten_inner(PyObject* code, MeasuredFunction& table) {
  Reference changed =
      with_changed_codes(code, [&](PyObject* inner) { return rewritten_inner(inner, table); });
  MeasuredFunction& function = find_inner(changed.get(), table);
  auto rewritten = rewrite_code(changed.get(), function);
  if (rewritten) return *std::move(rewritten);
  if (!known_[changed.get()].is_watched) (void)watch_with(changed.get(), function);
  return changed;
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

Result<void> LineMeasurement::watch_with(PyObject* code, MeasuredFunction& function) {
  PYROMETER_TRY_VOID(watch_lines(code, function));
  remember(code, &function).is_watched = true;
  return {};
}

Result<void> LineMeasurement::watch(PyObject* code, const std::string& reason) {
  const auto found = known_.find(code);
  if (found != known_.end() && found->second.is_watched) return {};
  const bool is_new = found == known_.end();
  MeasuredFunction* function = is_new ? make(code) : found->second.function;
  if (is_new) {
    function->engine = monitoring_module() ? LineEngine::kEvents : LineEngine::kTraceFunction;
    function->reason = reason;
  }
  auto watched = watch_with(code, *function);
  if (!watched) {
    if (is_new) function->drop();
    return watched;
  }
  if (inner_ == Inner::kApart) return {};
  for (PyObject* inner : codes_inside(code)) {
    MeasuredFunction& inner_function = find_inner(inner, *function);
    if (!known_[inner].is_watched) (void)watch_with(inner, inner_function);
  }
  return {};
}

void LineMeasurement::unwatch(PyObject* code) {
  const auto found = known_.find(code);
  if (found == known_.end() || !found->second.is_watched) return;
  found->second.is_watched = false;
  unwatch_lines(code, *found->second.function);
  if (inner_ == Inner::kApart) return;
  for (PyObject* inner : codes_inside(code)) unwatch(inner);
}

void LineMeasurement::unwatch_all() {
  for (auto& [code, known] : known_) {
    if (std::exchange(known.is_watched, false)) unwatch_lines(code, *known.function);
  }
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
  for (MeasuredFunction* function : functions_) function->clear();
}

}  // namespace pyrometer
