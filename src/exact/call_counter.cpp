#include "exact/call_counter.h"

namespace pyrometer {

thread_local std::array<CallCounter*, 2> own_counters [[gnu::tls_model("initial-exec")]] = {};
thread_local bool calls_are_uncounted [[gnu::tls_model("initial-exec")]] = false;
BeginThread begin_recorded_thread = nullptr;
unsigned recording_number_of_counters = 0;
thread_local unsigned own_counters_recording [[gnu::tls_model("initial-exec")]] = 0;

std::atomic<unsigned> throttle_window{0};

bool CallCounter::has_seen_enough(PyObject* code) {
  const unsigned window = throttle_window.load(std::memory_order_relaxed);
  if (window != throttle_window_) {
    throttle_window_ = window;
    for (auto& [key, calls] : throttled_calls_) calls = 0;
  }
  return ++throttled_calls_[code] > kThrottledCalls;
}

bool CallCounter::is_switched_off(PyObject* code) const {
  const auto known = throttled_calls_.find(code);
  return known != throttled_calls_.end() && known->second > kThrottledCalls &&
         throttle_window_ == throttle_window.load(std::memory_order_relaxed);
}

CallPath::Key CallCounter::key_of_object(PyObject* callable) {
  if (PyType_Check(callable) != 0) return callable;
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(callable));
  const CallPath::Key of_type = reinterpret_cast<const char*>(type) + 1;
  // Asking each object for its name would cost more than the call: once per type must do.
  static boost::unordered_flat_map<PyObject*, bool> is_named;
  const auto known = is_named.find(type);
  if (known != is_named.end()) return known->second ? callable : of_type;
  const UncountedCalls uncounted;
  const KeptError kept;
  const Reference name = Reference::take(PyObject_GetAttrString(callable, "__name__"));
  PyErr_Clear();
  const bool has_name = name && PyUnicode_Check(name.get()) != 0;
  is_named[Reference::share(type).release()] = has_name;
  return has_name ? callable : of_type;
}

}  // namespace pyrometer
