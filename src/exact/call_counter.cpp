#include "exact/call_counter.h"

namespace pyrometer {

thread_local std::array<CallCounter*, 2> own_counters [[gnu::tls_model("initial-exec")]] = {};
thread_local bool calls_are_uncounted [[gnu::tls_model("initial-exec")]] = false;
BeginThread begin_recorded_thread = nullptr;

PyObject* CallCounter::stands_for(PyObject* callable) {
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(callable));
  if (PyType_Check(callable) != 0) return callable;
  // By type, as asking each object for its name would cost more than the call.
  static boost::unordered_flat_map<PyObject*, bool> is_named;
  const auto known = is_named.find(type);
  if (known != is_named.end()) return known->second ? callable : type;
  const UncountedCalls uncounted;
  PyObject *error = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&error, &value, &traceback);
  const Reference name = Reference::take(PyObject_GetAttrString(callable, "__name__"));
  PyErr_Clear();
  PyErr_Restore(error, value, traceback);
  const bool has_name = name && PyUnicode_Check(name.get()) != 0;
  is_named[Reference::share(type).release()] = has_name;
  return has_name ? callable : type;
}

}  // namespace pyrometer
