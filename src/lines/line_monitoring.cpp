// Events by sys.monitoring, 3.12 and newer, set for the watched code alone. Exceptions that
// leave or enter a function come from everywhere: the interpreter has them in no other way.
#include <algorithm>
#include <array>

#include "cpython/monitoring_tool.h"
#include "lines/watched_code.h"

namespace pyrometer {
namespace {

PyObject* disable = nullptr;  // sys.monitoring.DISABLE: no more events from this place

const WatchedCode* watched(PyObject* code) { return WatchedCodes::all().find(code); }

std::uint32_t number(PyObject* object) {
  const long value = PyLong_AsLong(object);
  return value > 0 ? static_cast<std::uint32_t>(value) : 0;
}

// None is immortal where there is monitoring: it needs no count.
PyObject* on_line(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (const WatchedCode* code = watched(arguments[0])) {
    WatchedCodes::begin_line(*code, number(arguments[1]));
  }
  return Py_None;
}

// A loop of one line begins it again and again, which is no event of the line.
PyObject* on_jump(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  const WatchedCode* code = watched(arguments[0]);
  if (code == nullptr) return Py_None;
  const std::uint32_t from = number(arguments[1]);
  const std::uint32_t to = number(arguments[2]);
  const std::uint32_t line = code->line_at(from);
  if (to > from || line != code->line_at(to)) {
    Py_IncRef(disable);
    return disable;
  }
  if (line != 0) WatchedCodes::begin_line(*code, line);
  return Py_None;
}

PyObject* on_start(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (const WatchedCode* code = watched(arguments[0])) WatchedCodes::enter(*code);
  return Py_None;
}

PyObject* on_resume(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (const WatchedCode* code = watched(arguments[0])) {
    WatchedCodes::resume(*code, code->line_at(number(arguments[1])));
  }
  return Py_None;
}

PyObject* on_end(PyObject*, PyObject* const* arguments, std::size_t, PyObject*) {
  if (const WatchedCode* code = watched(arguments[0])) WatchedCodes::leave(*code);
  return Py_None;
}

struct Event {
  const char* name;
  Vectorcall call;
  bool is_local;
};
constexpr std::array<Event, 8> kEvents = {{{"LINE", &on_line, true},
                                           {"JUMP", &on_jump, true},
                                           {"PY_START", &on_start, true},
                                           {"PY_RESUME", &on_resume, true},
                                           {"PY_RETURN", &on_end, true},
                                           {"PY_YIELD", &on_end, true},
                                           {"PY_THROW", &on_resume, false},
                                           {"PY_UNWIND", &on_end, false}}};

int tool = -1;

long bits_of(PyObject* monitoring, bool is_local) {
  long bits = 0;
  for (const Event& event : kEvents) {
    if (event.is_local == is_local) bits |= monitoring_event(monitoring, event.name).value_or(0);
  }
  return bits;
}

bool set_local_events(PyObject* monitoring, PyObject* code, long bits) {
  return static_cast<bool>(Reference::take(
      PyObject_CallMethod(monitoring, "set_local_events", "iOl", tool, code, bits)));
}

bool begin(PyObject* monitoring) {
  if (disable == nullptr) disable = PyObject_GetAttrString(monitoring, "DISABLE");
  if (disable == nullptr) return false;
  tool = take_monitoring_tool(monitoring);
  if (tool < 0) return false;
  const bool is_registered = std::all_of(kEvents.begin(), kEvents.end(), [&](const Event& event) {
    return register_event_callback(monitoring, tool, event.name, event.call);
  });
  return is_registered && Reference::take(PyObject_CallMethod(monitoring, "set_events", "il", tool,
                                                              bits_of(monitoring, false)));
}

void end(PyObject* monitoring) {
  if (tool < 0) return;
  const Reference done =
      Reference::take(PyObject_CallMethod(monitoring, "set_events", "il", tool, 0L));
  PyErr_Clear();
  free_monitoring_tool(monitoring, tool);
  tool = -1;
}

}  // namespace

Result<void> start_line_monitoring(PyObject* code) {
  const KeptError kept;
  const Reference monitoring = monitoring_module();
  const bool is_ready = tool >= 0 || begin(monitoring.get());
  if (is_ready && set_local_events(monitoring.get(), code, bits_of(monitoring.get(), true))) {
    return {};
  }
  PyErr_Clear();
  if (!is_ready) end(monitoring.get());
  return fail(ErrorCode::kUnsupported, "other tools have taken the free ids of sys.monitoring");
}

void stop_line_monitoring(PyObject* code) {
  const KeptError kept;
  const Reference monitoring = monitoring_module();
  if (tool < 0 || !monitoring) return;
  if (!set_local_events(monitoring.get(), code, 0)) PyErr_Clear();
  if (WatchedCodes::all().is_empty()) end(monitoring.get());
}

}  // namespace pyrometer
