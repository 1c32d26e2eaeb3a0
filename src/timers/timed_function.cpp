#include "timers/timed_function.h"

#include <dlfcn.h>

#include "timers/own_timers.h"

namespace pyrometer {
namespace {

using Vectorcall = PyObject* (*)(PyObject*, PyObject* const*, std::size_t, PyObject*);

struct TimedFunctionObject {
  PyObject_HEAD Vectorcall call;
  TimedRegion* region;
  PyObject* region_object;
  PyObject* function;
  PyObject* reduce;
  PyObject* attributes;  // __dict__
  PyObject* weak_references;
};

// Not in the limited API, but in every version.
Vectorcall call_function = nullptr;
PyObject* (*bind_method)(PyObject* function, PyObject* self) = nullptr;

TimedFunctionObject& timed(PyObject* self) { return *reinterpret_cast<TimedFunctionObject*>(self); }

PyObject* call(PyObject* self, PyObject* const* arguments, std::size_t count, PyObject* names) {
  TimedFunctionObject& own = timed(self);
  OwnTimers& timers = OwnTimers::get();
  try {
    timers.enter(*own.region);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  PyObject* result = call_function(own.function, arguments, count, names);
  timers.leave(*own.region);
  return result;
}

PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
  if (object != nullptr && object != Py_None) return bind_method(self, object);
  Py_IncRef(self);
  return self;
}

// What the wrapped object has besides: cache_clear() of lru_cache, __defaults__ of a function.
PyObject* attribute(PyObject* self, PyObject* name) {
  PyObject* own = PyObject_GenericGetAttr(self, name);
  const bool is_missing = own == nullptr && timed(self).function != nullptr &&
                          PyErr_ExceptionMatches(PyExc_AttributeError) != 0;
  if (!is_missing) return own;
  PyErr_Clear();
  return PyObject_GetAttr(timed(self).function, name);
}

PyObject* reduce(PyObject* self, PyObject*) {
  const TimedFunctionObject& own = timed(self);
  return PyObject_CallFunction(own.reduce, "OOO", self, own.region_object, own.function);
}

PyObject* describe(PyObject* self) {
  return PyUnicode_FromFormat("<timed %R>", timed(self).function);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  Py_VISIT(timed(self).region_object);
  Py_VISIT(timed(self).function);
  Py_VISIT(timed(self).reduce);
  Py_VISIT(timed(self).attributes);
  return 0;
}

int clear(PyObject* self) {
  Reference::take(std::exchange(timed(self).region_object, nullptr));
  Reference::take(std::exchange(timed(self).function, nullptr));
  Reference::take(std::exchange(timed(self).reduce, nullptr));
  Reference::take(std::exchange(timed(self).attributes, nullptr));
  return 0;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (timed(self).weak_references != nullptr) PyObject_ClearWeakRefs(self);
  clear(self);
  const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyTypeObject* timed_function_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(TimedFunctionObject, call), READONLY, nullptr},
      {"__dictoffset__", T_PYSSIZET, offsetof(TimedFunctionObject, attributes), READONLY, nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(TimedFunctionObject, weak_references), READONLY,
       nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef attributes[] = {
      {"__dict__", &PyObject_GenericGetDict, &PyObject_GenericSetDict, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyMethodDef methods[] = {{"__reduce__", &reduce, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_call, dlsym(RTLD_DEFAULT, "PyVectorcall_Call")},
                                {Py_tp_members, members},
                                {Py_tp_getset, attributes},
                                {Py_tp_methods, methods},
                                {Py_tp_getattro, reinterpret_cast<void*>(&attribute)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(&bind)},
                                {Py_tp_repr, reinterpret_cast<void*>(&describe)},
                                {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(&clear)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                                {0, nullptr}};
  // The same in all versions.
  constexpr unsigned int kHaveVectorcall = 1U << 11U;
  constexpr unsigned int kMethodDescriptor = 1U << 17U;
  static PyType_Spec spec = {"pyrometer.TimedFunction", sizeof(TimedFunctionObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE |
                                 kHaveVectorcall | kMethodDescriptor,
                             slots};
  static auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return type;
}

}  // namespace

bool prepare_timed_functions() {
  call_function = reinterpret_cast<Vectorcall>(dlsym(RTLD_DEFAULT, "PyObject_Vectorcall"));
  bind_method = reinterpret_cast<decltype(bind_method)>(dlsym(RTLD_DEFAULT, "PyMethod_New"));
  if (call_function != nullptr && bind_method != nullptr) return timed_function_type() != nullptr;
  PyErr_SetString(PyExc_ImportError, "this Python lacks PyObject_Vectorcall or PyMethod_New");
  return false;
}

PyObject* make_timed_function(const TimedFunctionParts& parts) {
  PyTypeObject* type = timed_function_type();
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  timed(self).call = &call;
  timed(self).region = &parts.region;
  timed(self).region_object = Reference::share(parts.region_object).release();
  timed(self).function = Reference::share(parts.function).release();
  timed(self).reduce = Reference::share(parts.reduce).release();
  return self;
}

}  // namespace pyrometer
