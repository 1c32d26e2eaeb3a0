#include "cpython/monitoring_tool.h"

#include <dlfcn.h>

namespace pyrometer {
namespace {

struct Callback {
  PyObject_HEAD Vectorcall call;
};

PyTypeObject* callback_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(Callback, call), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_call, dlsym(RTLD_DEFAULT, "PyVectorcall_Call")},
                                {Py_tp_members, members},
                                {0, nullptr}};
  constexpr unsigned int kHaveVectorcall = 1U << 11U;  // the same in all versions
  static PyType_Spec spec = {"pyrometer.EventCallback", sizeof(Callback), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                 Py_TPFLAGS_IMMUTABLETYPE | kHaveVectorcall,
                             slots};
  static auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return type;
}

}  // namespace

Reference monitoring_module() {
  PyObject* module = PySys_GetObject("monitoring");  // borrowed
  return module == nullptr ? Reference() : Reference::share(module);
}

Reference new_event_callback(Vectorcall call) {
  PyTypeObject* type = callback_type();
  if (type == nullptr) return {};
  auto* callback = PyObject_New(Callback, type);
  if (callback == nullptr) return {};
  callback->call = call;
  return Reference::take(reinterpret_cast<PyObject*>(callback));
}

std::optional<long> monitoring_event(PyObject* monitoring, const char* name) {
  const Reference events = Reference::take(PyObject_GetAttrString(monitoring, "events"));
  const Reference bit =
      Reference::take(events ? PyObject_GetAttrString(events.get(), name) : nullptr);
  if (!bit) return std::nullopt;
  return PyLong_AsLong(bit.get());
}

int take_monitoring_tool(PyObject* monitoring) {
  for (const int id : {4, 3}) {
    const Reference taken =
        Reference::take(PyObject_CallMethod(monitoring, "use_tool_id", "is", id, "pyrometer"));
    if (taken) return id;
    PyErr_Clear();
  }
  return -1;
}

void free_monitoring_tool(PyObject* monitoring, int tool) {
  const Reference freed =
      Reference::take(PyObject_CallMethod(monitoring, "free_tool_id", "i", tool));
  PyErr_Clear();
}

bool register_event_callback(PyObject* monitoring, int tool, const char* event, Vectorcall call) {
  const auto bit = monitoring_event(monitoring, event);
  const Reference callback = new_event_callback(call);
  if (!bit || !callback) return false;
  return static_cast<bool>(Reference::take(
      PyObject_CallMethod(monitoring, "register_callback", "ilO", tool, *bit, callback.get())));
}

}  // namespace pyrometer
