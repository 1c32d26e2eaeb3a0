#include "exact/monitoring.h"

#include <algorithm>

#include "cpython/monitoring_tool.h"
#include "cpython/soon.h"

namespace pyrometer {
namespace {

PyObject* missing = nullptr;  // sys.monitoring.MISSING

PyObject* disable = nullptr;  // sys.monitoring.DISABLE: no more events from this place

PyObject* new_disable() {
  Py_IncRef(disable);
  return disable;
}

// None is immortal where there is monitoring: it needs no count.
template <CounterUser User>
PyObject* on_call(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  CallCounter* counter = own_counter<User>();
  if (counter == nullptr) return Py_None;
  counter->python_call(arguments[0]);
  if constexpr (User == CounterUser::kRecording) {
    const bool is_throttled =
        counter->paths.position()->is_throttled.load(std::memory_order_relaxed);
    if (is_throttled && counter->has_seen_enough(arguments[0])) [[unlikely]]
      return new_disable();
  }
  return Py_None;
}

template <CounterUser User>
PyObject* on_return(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  CallCounter* counter = own_counters[static_cast<std::size_t>(User)];
  if (counter == nullptr) return Py_None;
  if constexpr (User == CounterUser::kRecording) {
    const bool is_unexpected = counter->paths.position()->key != arguments[0];
    if (is_unexpected && counter->is_throttled(arguments[0])) [[unlikely]] {
      return counter->is_switched_off(arguments[0]) ? new_disable() : Py_None;
    }
  }
  counter->python_return(arguments[0]);
  return Py_None;
}

// An exception comes in or goes out: such events cannot be switched off one by one.
template <CounterUser User>
PyObject* on_throw(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (CallCounter* counter = own_counter<User>()) counter->python_call(arguments[0]);
  return Py_None;
}

template <CounterUser User>
PyObject* on_unwind(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  CallCounter* counter = own_counters[static_cast<std::size_t>(User)];
  if (counter == nullptr) return Py_None;
  const bool is_unexpected = counter->paths.position()->key != arguments[0];
  if (!is_unexpected || !counter->is_throttled(arguments[0])) counter->python_return(arguments[0]);
  return Py_None;
}

template <CounterUser User>
PyObject* on_c_call(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (CallCounter* counter = own_counter<User>()) {
    counter->c_call(arguments[2], arguments[3] == missing ? nullptr : arguments[3]);
  }
  return Py_None;
}

template <CounterUser User>
PyObject* on_c_return(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (CallCounter* counter = own_counters[static_cast<std::size_t>(User)]) {
    counter->c_return(arguments[2], arguments[3] == missing ? nullptr : arguments[3]);
  }
  return Py_None;
}

struct Event {
  const char* name;
  Vectorcall call;
  bool is_c;
  bool is_settable;  // the ends of C calls come with their beginnings
};

template <CounterUser User>
constexpr std::array<Event, 9> kEvents = {{
    {"PY_START", &on_call<User>, false, true},
    {"PY_RESUME", &on_call<User>, false, true},
    {"PY_THROW", &on_throw<User>, false, true},
    {"PY_RETURN", &on_return<User>, false, true},
    {"PY_YIELD", &on_return<User>, false, true},
    {"PY_UNWIND", &on_unwind<User>, false, true},
    {"CALL", &on_c_call<User>, true, true},
    {"C_RETURN", &on_c_return<User>, true, false},
    {"C_RAISE", &on_c_return<User>, true, false},
}};

// One user of events: its tool id, and how many threads asked for them.
struct Tool {
  int id = -1;
  int users = 0;
  int c_users = 0;
};
std::array<Tool, 2> tools;

bool set_events(PyObject* monitoring, const Tool& tool, const std::array<Event, 9>& events) {
  long bits = 0;
  for (const Event& event : events) {
    const bool is_wanted = tool.users > 0 && (!event.is_c || tool.c_users > 0);
    if (!event.is_settable || !is_wanted) continue;
    const auto bit = monitoring_event(monitoring, event.name);
    if (!bit) return false;
    bits |= *bit;
  }
  return static_cast<bool>(
      Reference::take(PyObject_CallMethod(monitoring, "set_events", "il", tool.id, bits)));
}

bool register_callbacks(PyObject* monitoring, const Tool& tool,
                        const std::array<Event, 9>& events) {
  return std::all_of(events.begin(), events.end(), [&](const Event& event) {
    return register_event_callback(monitoring, tool.id, event.name, event.call);
  });
}

const std::array<Event, 9>& events_of(CounterUser user) {
  return user == CounterUser::kRecording ? kEvents<CounterUser::kRecording>
                                         : kEvents<CounterUser::kProfiler>;
}

void free_tool(PyObject* monitoring, Tool& tool) {
  free_monitoring_tool(monitoring, tool.id);
  tool.id = -1;
}

void open_window(void*) {
  const UncountedCalls uncounted;
  ++throttle_window;  // before events come again
  const Reference monitoring = monitoring_module();
  const Reference done = Reference::take(
      monitoring ? PyObject_CallMethod(monitoring.get(), "restart_events", nullptr) : nullptr);
  PyErr_Clear();
}

}  // namespace

bool has_monitoring() {
  static const bool can = static_cast<bool>(monitoring_module());
  return can;
}

void open_throttle_window() { do_soon(&open_window, nullptr); }

Result<void> start_monitoring(CounterUser user, bool with_c_calls) {
  const UncountedCalls uncounted;
  const Reference monitoring = monitoring_module();
  if (!monitoring) return fail(ErrorCode::kUnsupported, "this Python has no sys.monitoring");
  Tool& tool = tools[static_cast<std::size_t>(user)];
  if (tool.id < 0) {
    if (missing == nullptr) missing = PyObject_GetAttrString(monitoring.get(), "MISSING");
    if (disable == nullptr) disable = PyObject_GetAttrString(monitoring.get(), "DISABLE");
    if (missing == nullptr || disable == nullptr) PyErr_Clear();
    tool.id = take_monitoring_tool(monitoring.get());
    if (tool.id < 0) {
      return fail(ErrorCode::kUnsupported, "other tools have taken the free ids of sys.monitoring");
    }
    if (!register_callbacks(monitoring.get(), tool, events_of(user))) {
      PyErr_Clear();
      free_tool(monitoring.get(), tool);
      return fail(ErrorCode::kUnsupported, "sys.monitoring does not take our callbacks");
    }
  }
  const bool is_set = tool.users > 0 && (!with_c_calls || tool.c_users > 0);
  ++tool.users;
  if (with_c_calls) ++tool.c_users;
  if (is_set || set_events(monitoring.get(), tool, events_of(user))) return {};
  PyErr_Clear();
  stop_monitoring(user, with_c_calls);
  return fail(ErrorCode::kUnsupported, "sys.monitoring does not set our events");
}

void end_monitoring(CounterUser user) {
  Tool& tool = tools[static_cast<std::size_t>(user)];
  if (tool.id < 0) return;
  tool.users = tool.c_users = 1;
  stop_monitoring(user, true);
}

void stop_monitoring(CounterUser user, bool with_c_calls) {
  const UncountedCalls uncounted;
  Tool& tool = tools[static_cast<std::size_t>(user)];
  if (tool.id < 0) return;
  --tool.users;
  if (with_c_calls) --tool.c_users;
  const Reference monitoring = monitoring_module();
  if (!monitoring) return;
  if (!set_events(monitoring.get(), tool, events_of(user))) PyErr_Clear();
  if (tool.users == 0) free_tool(monitoring.get(), tool);
}

}  // namespace pyrometer
