#include "exact/calibration.h"

#include <algorithm>
#include <limits>

#include "exact/call_events.h"

namespace pyrometer {
namespace {

constexpr int kCalls = 400;
constexpr int kRounds = 10;

constexpr const char* kLoops = R"(
def python(count):
    def nothing(number):
        pass
    for number in range(count):
        nothing(number)

def c(count, nothing=abs):
    for number in range(count):
        nothing(number)
)";

Reference make_loops() {
  Reference names = Reference::take(PyDict_New());
  PyObject* builtins = PyEval_GetBuiltins();  // borrowed
  if (!names || PyDict_SetItemString(names.get(), "__builtins__", builtins) != 0) return {};
  const Reference code = Reference::take(Py_CompileString(kLoops, "pyrometer", Py_file_input));
  const Reference done =
      Reference::take(code ? PyEval_EvalCode(code.get(), names.get(), names.get()) : nullptr);
  return done ? std::move(names) : Reference();
}

// What a loop took, in counts per call.
double time_loop(PyObject* loop) {
  const std::uint64_t start = CycleCounter::own().read();
  const Reference done = Reference::take(PyObject_CallFunction(loop, "i", kCalls));
  if (!done) PyErr_Clear();
  return static_cast<double>(CycleCounter::own().read() - start) / kCalls;
}

struct CountedLoop {
  double caller = std::numeric_limits<double>::max();
  double callee = 0;
};

CountedLoop time_counted_loop(PyObject* loop, CounterUser user) {
  CalledFunctions functions;
  CallCounter counter(functions, CCallables::kBuiltin, {});
  own_counters[static_cast<std::size_t>(user)] = &counter;
  counter.paths.begin();
  time_loop(loop);
  counter.paths.end();
  own_counters[static_cast<std::size_t>(user)] = nullptr;
  CountedLoop times;
  for (std::uint32_t i = 1; i < counter.paths.size(); ++i) {
    const CallPath& path = counter.paths.path(i);
    const double self = static_cast<double>(path.self.load()) / kCalls;
    if (path.calls.load() == kCalls) {
      times.callee = self;
      times.caller = static_cast<double>(path.parent->self.load()) / kCalls;
    }
  }
  return times;
}

CallbackCost measure(PyObject* loop, double plain, CounterUser user) {
  CountedLoop best;
  for (int i = 0; i < kRounds; ++i) {
    const CountedLoop times = time_counted_loop(loop, user);
    if (times.caller + times.callee < best.caller + best.callee) best = times;
  }
  const double cost = std::max(0.0, best.caller + best.callee - plain);
  // An empty call is about half the caller's work and half the callee's.
  CallbackCost result{.callee = std::clamp(best.callee - plain / 2, 0.0, cost)};
  result.caller = cost - result.callee;
  return result;
}

}  // namespace

Result<CallbackCosts> measure_call_costs(CounterUser user) {
  CallbackCosts costs;
  const Reference loops = make_loops();
  PyErr_Clear();
  if (!loops) return costs;
  struct Kind {
    PyObject* loop = nullptr;
    CallbackCost* cost = nullptr;
    double plain = std::numeric_limits<double>::max();
  };
  std::array<Kind, 2> kinds = {Kind{PyDict_GetItemString(loops.get(), "python"), &costs.python},
                               Kind{PyDict_GetItemString(loops.get(), "c"), &costs.c}};
  for (Kind& kind : kinds) {
    for (int i = 0; i < kRounds; ++i) kind.plain = std::min(kind.plain, time_loop(kind.loop));
  }
  PYROMETER_TRY_VOID(start_call_events(user, true));
  for (const Kind& kind : kinds) *kind.cost = measure(kind.loop, kind.plain, user);
  stop_call_events(user, true, true);
  return costs;
}

}  // namespace pyrometer
