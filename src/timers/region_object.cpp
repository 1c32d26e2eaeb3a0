#include "timers/region_object.h"

#include <array>

#include "base/printable.h"
#include "cpython/python_text.h"
#include "timers/kept_method.h"
#include "timers/own_timers.h"
#include "timers/timed_function.h"

namespace pyrometer {
namespace {

// One for each name, kept for good: to enter a region makes no object.
struct RegionObject {
  PyObject_HEAD TimedRegion* region;
  PyObject* name;
  PyObject *enter, *leave;  // bound methods of those that are kept, which refer to them
};

OwnTimers* own = nullptr;
PyObject* regions = nullptr;      // by name
PyObject* find_region = nullptr;  // timed_region() as Python has it

TimedRegion& region_of(PyObject* self) { return *reinterpret_cast<RegionObject*>(self)->region; }

PyObject* enter(PyObject* self, PyObject*) {
  try {
    own->enter(region_of(self));
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  Py_IncRef(self);
  return self;
}

PyObject* leave(PyObject* self, PyObject* const*, Py_ssize_t) {
  if (!own->leave(region_of(self))) {
    PyErr_Format(PyExc_RuntimeError, "the region %R is not open",
                 reinterpret_cast<RegionObject*>(self)->name);
    return nullptr;
  }
  return new_none();
}

// @timed_region("name"): what kind of function it is, is decided in Python.
PyObject* decorate(PyObject* self, PyObject* arguments, PyObject*) {
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O:timed_region", &function) == 0) return nullptr;
  const Reference module = Reference::take(PyImport_ImportModule("pyrometer._timed_functions"));
  return module ? PyObject_CallMethod(module.get(), "time_function", "OO", self, function)
                : nullptr;
}

PyObject* wrap(PyObject* self, PyObject* arguments) {
  PyObject* function = nullptr;
  PyObject* reduce = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:_wrap", &function, &reduce) == 0) return nullptr;
  return make_timed_function({region_of(self), self, function, reduce});
}

// Whoever loads it has regions of its own, found by their names.
PyObject* reduce(PyObject* self, PyObject*) {
  return Py_BuildValue("O(O)", find_region, reinterpret_cast<RegionObject*>(self)->name);
}

PyObject* describe(PyObject* self) {
  return PyUnicode_FromFormat("timed_region(%R)", reinterpret_cast<RegionObject*>(self)->name);
}

void destroy(PyObject* self) {  // which is not kept, and has no bound methods
  PyTypeObject* type = Py_TYPE(self);
  Py_DecRef(reinterpret_cast<RegionObject*>(self)->name);
  const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyMethodDef enter_method = {"__enter__", &enter, METH_NOARGS, nullptr};
PyMethodDef leave_method = {"__exit__",
                            reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&leave)),
                            METH_FASTCALL, nullptr};

// nullptr leaves a Python error.
PyTypeObject* make_region_type() {
  static PyMethodDef methods[] = {
      enter_method,
      leave_method,
      {"__reduce__", &reduce, METH_NOARGS, nullptr},
      {"_wrap", &wrap, METH_VARARGS,
       "_wrap(function, reduce): calls it inside the region, without a frame."},
      {nullptr, nullptr, 0, nullptr}};
  static char name_documentation[] = "The region's name.";
  static PyMemberDef members[] = {
      {"name", T_OBJECT_EX, offsetof(RegionObject, name), READONLY, name_documentation},
      {nullptr, 0, 0, 0, nullptr}};
  static char documentation[] =
      "A named region of the program: `with region:` times what is inside, `@region` a function.";
  static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                {Py_tp_members, members},
                                {Py_tp_call, reinterpret_cast<void*>(&decorate)},
                                {Py_tp_repr, reinterpret_cast<void*>(&describe)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                                {Py_tp_doc, documentation},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyrometer.Region", sizeof(RegionObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  constexpr unsigned long kCallsUnbound = 0x030E0000;  // 3.14's `with` needs no bound methods
  if (type == nullptr || Py_Version >= kCallsUnbound) return type;
  const bool is_complete = let_method_be_kept(type, enter_method, offsetof(RegionObject, enter)) &&
                           let_method_be_kept(type, leave_method, offsetof(RegionObject, leave));
  return is_complete ? type : nullptr;
}

PyTypeObject* region_type() {
  static PyTypeObject* type = make_region_type();
  return type;
}

// To be kept for good.
bool keep_region(PyObject* object, PyObject* name) {
  auto* region = reinterpret_cast<RegionObject*>(object);
  region->enter = bind_kept_method(enter_method, object);
  region->leave = bind_kept_method(leave_method, object);
  return region->enter != nullptr && region->leave != nullptr &&
         PyDict_SetItem(regions, name, object) == 0;
}

// A new reference.
PyObject* make_new_region(PyObject* name) {
  if (PyUnicode_Check(name) == 0) {
    PyErr_Format(PyExc_TypeError, "the name of a region is a string, not %R", name);
    return nullptr;
  }
  auto* made = PyObject_New(RegionObject, region_type());
  if (made == nullptr) return nullptr;
  made->name = Reference::share(name).release();
  made->enter = made->leave = nullptr;
  Reference object = Reference::take(reinterpret_cast<PyObject*>(made));
  try {
    made->region = &own->timers.find(text_of(name));
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  // Names that are counted together are not kept.
  const bool is_kept = PyDict_Size(regions) < static_cast<Py_ssize_t>(RegionTimers::kMostRegions);
  if (is_kept && !keep_region(object.get(), name)) return nullptr;
  return object.release();
}

// Names that were asked for lately, by their address: mostly constants of the program's code, which
// are found without a look at the text.
struct RecentName {
  Reference name, region;
};
RecentName& recent_name(PyObject* name) {
  constexpr std::size_t kCount = 64;
  constexpr unsigned kAlignment = 4;                         // bits that all objects share
  static auto* recent = new std::array<RecentName, kCount>;  // outlives the interpreter
  return (*recent)[(reinterpret_cast<std::uintptr_t>(name) >> kAlignment) % kCount];
}

PyObject* timed_region(PyObject*, PyObject* name) {
  RecentName& recent = recent_name(name);
  if (recent.name.get() == name) [[likely]] {
    Py_IncRef(recent.region.get());
    return recent.region.get();
  }
  PyObject* known = PyDict_GetItemWithError(regions, name);  // borrowed
  if (known == nullptr) return PyErr_Occurred() != nullptr ? nullptr : make_new_region(name);
  recent.name = Reference::share(name);
  recent.region = Reference::share(known);
  Py_IncRef(known);
  return known;
}

// " key=value" for each; what has no text is "?".
std::string values_text(PyObject* values) {
  std::string text;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (values != nullptr && PyDict_Next(values, &position, &key, &value) != 0) {
    const Reference shown = Reference::take(PyObject_Str(value));
    PyErr_Clear();
    text += " " + text_of(key) + "=" + (shown ? text_of(shown.get()) : "?");
  }
  return text;
}

PyObject* mark(PyObject*, PyObject* arguments, PyObject* values) {
  PyObject* name = nullptr;
  if (PyArg_ParseTuple(arguments, "U:mark", &name) == 0) return nullptr;
  RegionLog* log = find_region_log();
  if (log == nullptr) return new_none();
  try {
    constexpr std::size_t kWidest = 500;  // a value may be an array
    const std::string whole = text_of(name) + values_text(values);
    const std::string* text = own->timers.keep_mark(shorten_back(whole, kWidest));
    if (text != nullptr) log->mark(*text, own->clock.read());
  } catch (const std::bad_alloc&) {  // the program may still have enough
  }
  return new_none();
}

PyObject* region_timings(PyObject*, PyObject*) {
  const double scale = own->clock.nanoseconds_per_count() * 1e-9;
  Reference all = Reference::take(PyDict_New());
  bool is_complete = static_cast<bool>(all);
  own->timers.visit([&](const TimedRegion& region) {
    const RegionFigures& figures = region.figures;
    if (!is_complete || figures.count.get() == 0) return;
    const auto seconds = [&](const GilCount& counts) {
      return static_cast<double>(counts.get()) * scale;
    };
    const Reference name = Reference::take(PyUnicode_DecodeUTF8(
        region.name.data(), static_cast<Py_ssize_t>(region.name.size()), "surrogateescape"));
    const Reference row = Reference::take(Py_BuildValue(
        "(Ldddd)", static_cast<long long>(figures.count.get()), seconds(figures.total),
        seconds(figures.self), seconds(figures.shortest), seconds(figures.longest)));
    is_complete = name && row && PyDict_SetItem(all.get(), name.get(), row.get()) == 0;
  });
  return is_complete ? all.release() : nullptr;
}

PyObject* reset_regions(PyObject*, PyObject*) {
  own->timers.reset(own->clock.read());
  return new_none();
}

PyMethodDef timed_region_method = {
    "timed_region", &timed_region, METH_O,
    "timed_region(name, /)\n--\n\nA named region to be timed: `with timed_region(\"solve\"): ...`, "
    "or a decorator."};
PyMethodDef mark_method = {
    "mark", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&mark)),
    METH_VARARGS | METH_KEYWORDS,
    "mark(name, /, **values)\n--\n\nMarks this moment on the timeline of a recording; does "
    "nothing without one."};
PyMethodDef functions[] = {
    {"region_timings", &region_timings, METH_NOARGS,
     "region_timings(): by name (count, total, self, min, max), times in seconds."},
    {"reset_regions", &reset_regions, METH_NOARGS, "reset_regions(): all figures begin anew."},
    {nullptr, nullptr, 0, nullptr}};

// Functions that users pickle say that they are the package's: no import finds the agent by name.
bool add_public_functions(PyObject* module) {
  const Reference package = Reference::take(PyUnicode_FromString("pyrometer"));
  if (!package) return false;
  const auto add = [&](PyMethodDef& method) {
    PyObject* function = PyCFunction_NewEx(&method, module, package.get());
    const bool is_added = PyModule_AddObjectRef(module, method.ml_name, function) == 0;
    Py_DecRef(function);  // the module has it
    return is_added ? function : nullptr;
  };
  find_region = add(timed_region_method);
  return find_region != nullptr && add(mark_method) != nullptr;
}

}  // namespace

PyObject* make_region(const std::string& name) {
  const Reference text = Reference::take(
      PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
  return text ? timed_region(nullptr, text.get()) : nullptr;
}

bool add_timers(PyObject* module) {
  own = &OwnTimers::get();
  if (regions == nullptr) regions = PyDict_New();
  return regions != nullptr && region_type() != nullptr && prepare_timed_functions() &&
         add_public_functions(module) && PyModule_AddFunctions(module, functions) == 0 &&
         PyModule_AddObjectRef(module, "Region", reinterpret_cast<PyObject*>(region_type())) == 0;
}

}  // namespace pyrometer
