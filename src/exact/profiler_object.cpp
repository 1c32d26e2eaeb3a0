#include "exact/profiler_object.h"

#include <cmath>
#include <memory>

#include "exact/call_events.h"
#include "exact/profiler_stats.h"

namespace pyrometer {
namespace {

constexpr auto kUser = static_cast<std::size_t>(CounterUser::kProfiler);

// A clock that the program gave: called for each event, itself not counted.
struct CustomTimer {
  Reference function;
  double unit = 0;  // seconds per count; 0: the function gives seconds
  std::uint64_t last = 0;
};

std::uint64_t read_custom_timer(void* context) {
  auto* timer = static_cast<CustomTimer*>(context);
  const UncountedCalls uncounted;
  const KeptError kept;
  const Reference time = Reference::take(PyObject_CallNoArgs(timer->function.get()));
  if (time && timer->unit > 0) {
    const long long count = PyLong_AsLongLong(time.get());
    if (PyErr_Occurred() == nullptr) timer->last = static_cast<std::uint64_t>(count);
  } else if (time) {
    const double seconds = PyFloat_AsDouble(time.get());
    if (PyErr_Occurred() == nullptr) {
      timer->last = static_cast<std::uint64_t>(std::llround(seconds * 1e9));
    }
  }
  if (PyErr_Occurred() != nullptr) PyErr_WriteUnraisable(timer->function.get());
  return timer->last;
}

// Python's parser takes names it never writes to as char**.
char** keyword_list(const char** names) {
  return const_cast<char**>(names);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

struct Profiling {
  CustomTimer timer;
  CalledFunctions functions;
  std::unique_ptr<CallCounter> counter;
  bool subcalls = true;
  bool builtins = true;
  bool is_enabled = false;
  bool has_c_events = false;
  bool is_held_by_thread = false;  // that enabled it, and was not the one that disabled it

  CallClock clock() {
    if (!timer.function) return {};
    return {.custom = &read_custom_timer, .context = &timer};
  }
  double seconds_per_count() const {
    if (!timer.function) return CycleCounter::own().nanoseconds_per_count() * 1e-9;
    return timer.unit > 0 ? timer.unit : 1e-9;
  }
};

struct ProfilerObject {
  PyObject_HEAD Profiling* profiling;
};

Profiling& profiling_of(PyObject* self) {
  return *reinterpret_cast<ProfilerObject*>(self)->profiling;
}

PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  reinterpret_cast<ProfilerObject*>(self)->profiling = new (std::nothrow) Profiling;
  if (reinterpret_cast<ProfilerObject*>(self)->profiling != nullptr) return self;
  Py_DecRef(self);
  return PyErr_NoMemory();
}

int initialize(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* timer = nullptr;
  double unit = 0;
  int subcalls = 1;
  int builtins = 1;
  static const char* names[] = {"timer", "timeunit", "subcalls", "builtins", nullptr};
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|Odpp:Profile", keyword_list(names), &timer,
                                  &unit, &subcalls, &builtins) == 0) {
    return -1;
  }
  Profiling& profiling = profiling_of(self);
  if (profiling.is_enabled) {
    PyErr_SetString(PyExc_ValueError, "this Profile is enabled");
    return -1;
  }
  const bool has_timer = timer != nullptr && timer != Py_None;
  if (has_timer && PyCallable_Check(timer) == 0) {
    PyErr_SetString(PyExc_TypeError, "timer must be callable");
    return -1;
  }
  profiling.timer.function = has_timer ? Reference::share(timer) : Reference();
  profiling.timer.unit = unit;
  profiling.subcalls = subcalls != 0;
  profiling.builtins = builtins != 0;
  if (profiling.is_held_by_thread) {
    [[maybe_unused]] const CallCounter* kept = profiling.counter.release();
  }
  try {
    profiling.counter =
        std::make_unique<CallCounter>(profiling.functions, CCallables::kBuiltin, profiling.clock());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return -1;
  }
  return 0;
}

bool has_active_profiler() {
  const CallCounter* counter = own_counters[kUser];
  return counter != nullptr && counter->paths.is_counting();
}

PyObject* enable(PyObject* self, PyObject* arguments, PyObject* keywords) {
  int subcalls = -1;
  int builtins = -1;
  static const char* names[] = {"subcalls", "builtins", nullptr};
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|pp:enable", keyword_list(names), &subcalls,
                                  &builtins) == 0) {
    return nullptr;
  }
  Profiling& profiling = profiling_of(self);
  if (profiling.counter == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "Profile.__init__() was not called");
    return nullptr;
  }
  if (profiling.is_enabled || has_active_profiler()) {
    PyErr_SetString(PyExc_ValueError,
                    "Another profiling tool is already active: disable the Profile that counts "
                    "this thread's calls first");
    return nullptr;
  }
  if (subcalls >= 0) profiling.subcalls = subcalls != 0;
  if (builtins >= 0) profiling.builtins = builtins != 0;
  profiling.counter->set_c_callables(profiling.builtins ? CCallables::kBuiltin : CCallables::kNone);
  const auto prepared = prepare_call_events();
  const auto started =
      prepared ? start_call_events(CounterUser::kProfiler, profiling.builtins) : prepared;
  if (!started) {
    PyErr_Format(PyExc_ValueError, "Another profiling tool is already active: %s",
                 started.error().message.c_str());
    return nullptr;
  }
  profiling.is_enabled = true;
  profiling.has_c_events = profiling.builtins;
  own_counters[kUser] = profiling.counter.get();
  profiling.counter->paths.begin();
  return new_none();
}

void stop(Profiling& profiling) {
  if (!profiling.is_enabled) return;
  profiling.counter->paths.end();
  profiling.is_enabled = false;
  const bool is_own_thread = own_counters[kUser] == profiling.counter.get();
  if (is_own_thread) own_counters[kUser] = nullptr;
  profiling.is_held_by_thread |= !is_own_thread;
  stop_call_events(CounterUser::kProfiler, profiling.has_c_events, is_own_thread);
}

PyObject* disable(PyObject* self, PyObject*) {
  stop(profiling_of(self));
  return new_none();
}

PyObject* clear(PyObject* self, PyObject*) {
  Profiling& profiling = profiling_of(self);
  if (profiling.counter != nullptr) profiling.counter->paths.clear();
  profiling.functions.clear();
  return new_none();
}

PyObject* get_stats(PyObject* self, PyObject*) {
  Profiling& profiling = profiling_of(self);
  if (profiling.counter == nullptr) return PyList_New(0);
  const UncountedCalls uncounted;
  return make_profiler_stats(profiling.counter->paths, profiling.functions,
                             profiling.seconds_per_count(), profiling.subcalls);
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Profiling* profiling = reinterpret_cast<ProfilerObject*>(self)->profiling;
  if (profiling != nullptr) {
    stop(*profiling);
    // A thread that may still look at the counter keeps it for ever.
    if (!profiling->is_held_by_thread) delete profiling;
  }
  const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyMethodDef methods[] = {
    {"enable", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&enable)),
     METH_VARARGS | METH_KEYWORDS,
     "enable(subcalls=True, builtins=True)\n\nBegin to count the calls of this thread. With "
     "subcalls, also by caller; with builtins, also those of built-in functions."},
    {"disable", &disable, METH_NOARGS, "disable()\n\nStop counting. Open calls end here."},
    {"clear", &clear, METH_NOARGS, "clear()\n\nForget what was counted so far."},
    {"getstats", &get_stats, METH_NOARGS,
     "getstats() -> list of profiler_entry objects\n\nWhat was counted: code, callcount, "
     "reccallcount, totaltime, inlinetime and calls, a list of the same by callee, or None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_profiler_type(PyObject* module) {
  static char documentation[] = "Counts and times every call of a thread.";
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(&create)},
                                {Py_tp_init, reinterpret_cast<void*>(&initialize)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                                {Py_tp_methods, methods},
                                {Py_tp_doc, documentation},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyrometer.Profiler", sizeof(ProfilerObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  const Reference type = Reference::take(PyType_FromSpec(&spec));
  return type && add_stats_types(module) &&
         PyModule_AddObjectRef(module, "Profiler", type.get()) == 0;
}

}  // namespace pyrometer
