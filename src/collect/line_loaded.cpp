// How lines are measured in the middle of a program: what is loaded gets measured code, and its own
// back at the end.
#include <set>

#include "collect/line_recording.h"
#include "collect/loaded_code.h"
#include "cpython/monitoring_tool.h"
#include "cpython/python_text.h"
#include "lines/line_activations.h"

namespace pyrometer {
namespace {

constexpr const char* kRanBefore = "it was running when measuring began";

bool is_ours(const std::string& module) {
  return module == "pyrometer" || module.starts_with("pyrometer.");
}

}  // namespace

void LineRecording::remember_original(PyObject* changed, PyObject* original) {
  if (!will_stop_ || changed == original) return;
  changed_codes_.try_emplace(changed,
                             ChangedCode{Reference::share(changed), Reference::share(original)});
}

void LineRecording::measure_loaded(const std::vector<PyObject*>& functions) {
  const KeptError kept;
  std::set<PyObject*> given;  // their code
  for (PyObject* function : functions) {
    const Reference code = Reference::take(PyObject_GetAttrString(function, "__code__"));
    if (code) given.insert(code.get());
  }
  if (!functions.empty()) takes_decorated_only_ = true;
  // Calls that are under way keep the code they began with. Its events are cheap from 3.12 on;
  // before, only the next call is measured.
  if (monitoring_module()) {
    // Of what was given also what is suspended: generators, coroutines, greenlets.
    for (PyObject* code : given) (void)measurement_.watch(code, kRanBefore);
    visit_running_codes([&](PyObject* code, const std::string& module) {
      const bool is_given = given.contains(code);
      const Wish wish = is_ours(module) ? Wish::kNone : wish_for(code, module);
      if (!is_given && wish == Wish::kNone) return;
      (void)measurement_.watch(code, kRanBefore);
      MeasuredFunction* function = measurement_.function_of(code);
      if (function != nullptr && wish != Wish::kOwn) function->is_chosen = true;
    });
  }
  for (PyObject* function : functions) (void)decorate(function);
  if (!selects_modules()) return;
  visit_functions([this](PyObject* function, PyObject* code) {
    const std::string module = text_attribute(function, "__module__");
    if (is_ours(module)) return;
    const Reference tree = measured_tree(code, module);
    if (tree.get() != code) PyObject_SetAttrString(function, "__code__", tree.get());
  });
}

void LineRecording::stop() {
  const KeptError kept;
  if (!changed_codes_.empty()) {
    visit_functions([this](PyObject* function, PyObject* code) {
      const auto changed = changed_codes_.find(code);
      if (changed == changed_codes_.end()) return;
      PyObject_SetAttrString(function, "__code__", changed->second.original.get());
    });
  }
  measurement_.unwatch_all();
  measurement_.visit([](const MeasuredFunction& function) {
    LineActivations& own = LineActivations::own();
    while (own.is_inside(&function)) own.leave(&function);
  });
  changed_codes_.clear();
  PyErr_Clear();
}

}  // namespace pyrometer
