#include "lines/line_times_object.h"

#include <cmath>
#include <new>

#include "cpython/python_types.h"
#include "lines/line_measurement.h"
#include "os/cycle_counter.h"

namespace pyrometer {
namespace {

struct LineTimesObject {
  PyObject_HEAD LineMeasurement* measurement;
};

LineMeasurement& measurement_of(PyObject* self) {
  return *reinterpret_cast<LineTimesObject*>(self)->measurement;
}

bool is_code(PyObject* object) {
  if (is_code_object(object)) return true;
  PyErr_Format(PyExc_TypeError, "a code object is needed, not %R",
               reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return false;
}

PyObject* refuse(const Error& error) {
  PyErr_SetString(PyExc_ValueError, error.message.c_str());
  return nullptr;
}

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char name[] = "with_inner";
  static char* names[] = {name, nullptr};
  int with_inner = 0;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|p:LineTimes", names, &with_inner) == 0) {
    return nullptr;
  }
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  auto*& measurement = reinterpret_cast<LineTimesObject*>(self)->measurement;
  using Inner = LineMeasurement::Inner;
  measurement =
      new (std::nothrow) LineMeasurement(with_inner != 0 ? Inner::kIncluded : Inner::kApart);
  if (measurement != nullptr) return self;
  Py_DecRef(self);
  return PyErr_NoMemory();
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<LineTimesObject*>(self)->measurement;
  const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* rewrite(PyObject* self, PyObject* code) {
  if (!is_code(code)) return nullptr;
  auto rewritten = measurement_of(self).rewrite(code);
  return rewritten ? rewritten->release() : refuse(rewritten.error());
}

PyObject* watch(PyObject* self, PyObject* code) {
  if (!is_code(code)) return nullptr;
  const auto watched = measurement_of(self).watch(code, "");
  return watched ? new_none() : refuse(watched.error());
}

PyObject* unwatch(PyObject* self, PyObject* code) {
  if (!is_code(code)) return nullptr;
  measurement_of(self).unwatch(code);
  return new_none();
}

PyObject* clear(PyObject* self, PyObject*) {
  measurement_of(self).clear();
  return new_none();
}

const char* name_of(LineEngine engine) {
  switch (engine) {
    case LineEngine::kRewritten: return "rewritten";
    case LineEngine::kEvents: return "events";
    case LineEngine::kTraceFunction: return "trace function";
  }
  return "";
}

Reference rows_of(const MeasuredFunction& function, double scale) {
  const auto nanoseconds = [&](std::int64_t counts) {
    return std::max(0LL, std::llround(static_cast<double>(counts) * scale));
  };
  Reference rows = Reference::take(PyList_New(0));
  if (!rows) return {};
  for (const MeasuredLine& line : function.lines) {
    if (line.hits.get() == 0) continue;
    const Reference row =
        Reference::take(Py_BuildValue("(ILLL)", line.line, static_cast<long long>(line.hits.get()),
                                      nanoseconds(line.time.get()), nanoseconds(line.self())));
    if (!row || PyList_Append(rows.get(), row.get()) != 0) return {};
  }
  if (PyList_Sort(rows.get()) != 0) return {};
  return rows;
}

PyObject* stats(PyObject* self, PyObject*) {
  const double scale = CycleCounter::own().nanoseconds_per_count();
  Reference all = Reference::take(PyList_New(0));
  bool is_complete = static_cast<bool>(all);
  measurement_of(self).visit([&](const MeasuredFunction& function) {
    if (!is_complete) return;
    const Reference rows = rows_of(function, scale);
    const Reference row = Reference::take(
        rows ? Py_BuildValue("(OsO)", function.original.get(), name_of(function.engine), rows.get())
             : nullptr);
    is_complete = row && PyList_Append(all.get(), row.get()) == 0;
  });
  return is_complete ? all.release() : nullptr;
}

Reference memory_rows_of(const MeasuredFunction& function) {
  Reference rows = Reference::take(PyList_New(0));
  if (!rows) return {};
  for (const MeasuredLine& line : function.lines) {
    if (line.hits.get() == 0 || !line.memory) continue;
    const Reference row =
        Reference::take(Py_BuildValue("(ILLL)", line.line, static_cast<long long>(line.hits.get()),
                                      static_cast<long long>(line.memory->level.get()),
                                      static_cast<long long>(line.memory->increment.get())));
    if (!row || PyList_Append(rows.get(), row.get()) != 0) return {};
  }
  return rows;
}

PyObject* memory(PyObject* self, PyObject*) {
  Reference all = Reference::take(PyList_New(0));
  bool is_complete = static_cast<bool>(all);
  measurement_of(self).visit([&](const MeasuredFunction& function) {
    if (!is_complete || !function.prologue.memory) return;
    const MeasuredFunction& table = function.table == nullptr ? function : *function.table;
    const Reference rows = memory_rows_of(function);
    const Reference row = Reference::take(
        rows ? Py_BuildValue("(OILLLO)", table.original.get(), function.first_line,
                             static_cast<long long>(function.prologue.hits.get()),
                             static_cast<long long>(function.level_at_first_call.get()),
                             static_cast<long long>(function.prologue.memory->level.get()),
                             rows.get())
             : nullptr);
    is_complete = row && PyList_Append(all.get(), row.get()) == 0;
  });
  return is_complete ? all.release() : nullptr;
}

PyMethodDef methods[] = {
    {"rewrite", &rewrite, METH_O,
     "rewrite(code)\n\nA version of the code that measures its lines. ValueError says why there "
     "is none."},
    {"watch", &watch, METH_O,
     "watch(code)\n\nMeasure this code object by the interpreter's events."},
    {"unwatch", &unwatch, METH_O, "unwatch(code)\n\nThe opposite of watch()."},
    {"stats", &stats, METH_NOARGS,
     "stats()\n\nA list of (original code, engine, rows); rows are (line, hits, nanoseconds with "
     "calls, nanoseconds without those of measured functions)."},
    {"memory", &memory, METH_NOARGS,
     "memory()\n\nOf each function (code of the table its lines are in, first line, calls, heap at "
     "the first and largest heap at any of them, rows); rows are (line, hits, largest heap after "
     "it, what it added), in bytes."},
    {"clear", &clear, METH_NOARGS, "clear()\n\nForget what was measured so far."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_line_times_type(PyObject* module) {
  static char documentation[] =
      "LineTimes(with_inner=False)\n\nMeasures the lines of chosen code, with that of functions "
      "inside it.";
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(&create)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                                {Py_tp_methods, methods},
                                {Py_tp_doc, documentation},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyrometer.LineTimes", sizeof(LineTimesObject), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  const Reference type = Reference::take(PyType_FromSpec(&spec));
  return type && PyModule_AddObjectRef(module, "LineTimes", type.get()) == 0;
}

}  // namespace pyrometer
