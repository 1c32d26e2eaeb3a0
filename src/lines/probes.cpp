#include "lines/probes.h"

#include <array>
#include <cstddef>

#include "lines/line_activations.h"

namespace pyrometer {
namespace {

struct ProbeObject {
  PyObject_HEAD MeasuredFunction* function;
  MeasuredLine* line;
};

// None is immortal from 3.12 on and needs no count; before, its header counts in line.
template <bool CountsNone>
PyObject* none() {
  if constexpr (CountsNone) ++Py_None->ob_refcnt;
  return Py_None;
}

template <bool CountsNone>
[[gnu::noinline, gnu::cold]] PyObject* begin_line_slowly(PyObject* self) {
  const auto* probe = reinterpret_cast<const ProbeObject*>(self);
  LineActivations::own().begin_line(probe->function, probe->line);
  return none<CountsNone>();
}

template <ProbeKind Kind, bool CountsNone>
PyObject* negate(PyObject* self) {
  auto* probe = reinterpret_cast<ProbeObject*>(self);
  if constexpr (Kind == ProbeKind::kLine || Kind == ProbeKind::kLineAgain) {
    if constexpr (Kind == ProbeKind::kLineAgain) probe->line->returns.add(1);
    if (!LineActivations::try_begin_line(probe->function, probe->line)) [[unlikely]]
      return begin_line_slowly<CountsNone>(self);
  } else if constexpr (Kind == ProbeKind::kExit) {
    LineActivations::own().leave(probe->function);
  } else if constexpr (Kind == ProbeKind::kEntry) {
    LineActivations::own().call(probe->function, probe->line, true);
  } else {
    LineActivations::own().enter(probe->function, probe->line, false);
  }
  return none<CountsNone>();
}

// Copied to another process, a probe is a number whose negation nobody looks at.
PyObject* reduce(PyObject*, PyObject*) {
  return Py_BuildValue("O(i)", reinterpret_cast<PyObject*>(&PyLong_Type), 0);
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<ProbeObject*>(self)->function->drop();
  const auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

using Negate = PyObject* (*)(PyObject*);

template <bool CountsNone>
constexpr std::array<Negate, kProbeKinds> kNegations = {
    &negate<ProbeKind::kLine, CountsNone>, &negate<ProbeKind::kLineAgain, CountsNone>,
    &negate<ProbeKind::kEntry, CountsNone>, &negate<ProbeKind::kResume, CountsNone>,
    &negate<ProbeKind::kExit, CountsNone>};

PyTypeObject* make_type(std::size_t kind) {
  static PyMethodDef methods[] = {{"__reduce__", &reduce, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  constexpr unsigned long kFirstWithImmortals = 0x030C0000;
  const Negate negation =
      Py_Version < kFirstWithImmortals ? kNegations<true>[kind] : kNegations<false>[kind];
  PyType_Slot slots[] = {{Py_nb_negative, reinterpret_cast<void*>(negation)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                         {Py_tp_methods, methods},
                         {0, nullptr}};
  PyType_Spec spec = {
      "pyrometer.LineProbe", sizeof(ProbeObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

PyTypeObject* type_of(ProbeKind kind) {
  static std::array<PyTypeObject*, kProbeKinds> types{};
  PyTypeObject*& type = types[static_cast<std::size_t>(kind)];
  if (type == nullptr) type = make_type(static_cast<std::size_t>(kind));
  return type;
}

// 3.14 loads constants that are never freed a good deal faster: a probe takes 7.5 ns there
// instead of 10. Other versions gain nothing. The price is that its few bytes stay for good.
void make_immortal(ProbeObject* probe) {
  constexpr std::uint32_t kCount = 3U << 30U;
  if ((Py_Version >> 16U) == 0x030EU) *reinterpret_cast<std::uint32_t*>(probe) = kCount;
}

}  // namespace

Reference new_probe(const Probe& probe, MeasuredFunction& function) {
  PyTypeObject* type = type_of(probe.kind);
  if (type == nullptr) return {};
  auto* object = PyObject_New(ProbeObject, type);
  if (object == nullptr) return {};
  function.keep();
  object->function = &function;
  object->line = function.line(probe.line);
  make_immortal(object);
  return Reference::take(reinterpret_cast<PyObject*>(object));
}

}  // namespace pyrometer
