// Counts the calls of one thread for one user: the recording of a run, or a Profile object of
// the program's. The interpreter's events come in here, whichever way they are made.
#pragma once

#include <array>

#include "exact/c_functions.h"
#include "exact/call_paths.h"
#include "exact/called_functions.h"

namespace pyrometer {

enum class CounterUser : std::uint8_t { kRecording, kProfiler };

// Which calls of what is not written in Python are counted.
enum class CCallables : std::uint8_t {
  kNone,
  kBuiltin,  // functions and methods, as cProfile does
  kAll,      // types, numpy's ufuncs and other callables too
};

class CallCounter {
 public:
  CallCounter(CalledFunctions& functions, CCallables c_callables, const CallClock& clock)
      : paths(clock), functions_(functions), c_callables_(c_callables) {}

  CallPaths paths;

  void python_call(PyObject* code) {
    paths.enter(code, [&] { return quietly([&] { return functions_.of_code(code); }); });
  }
  void python_return(PyObject* code) { paths.leave(code); }

  // `self` is the first argument, nullptr where there is none.
  void c_call(PyObject* callable, PyObject* self) {
    if (c_callables_ == CCallables::kNone) return;
    if (const CallPath::Key key = c_function_key(callable, self)) {
      paths.enter(key, [&] {
        return quietly([&] { return functions_.of_c_function(key, callable, self); });
      });
    } else if (c_callables_ == CCallables::kAll && has_c_return(callable)) {
      const CallPath::Key object = key_of_object(callable);
      paths.enter(object,
                  [&] { return quietly([&] { return functions_.of_object(object, callable); }); });
    }
  }
  void c_return(PyObject* callable, PyObject* self) {
    if (c_callables_ == CCallables::kNone) return;
    if (const CallPath::Key key = c_function_key(callable, self)) {
      paths.leave(key);
    } else if (c_callables_ == CCallables::kAll && has_c_return(callable)) {
      paths.leave(key_of_object(callable));
    }
  }
  void set_c_callables(CCallables c_callables) { c_callables_ = c_callables; }

  // Of a throttled function that is called now: true when enough of its calls were counted in
  // this window, so that no more events of it are wanted.
  bool has_seen_enough(PyObject* code);
  // Whether a return without its call is one of a throttled function; and whether its calls
  // are switched off now, so that its returns should be, too.
  bool is_throttled(PyObject* code) const { return throttled_calls_.contains(code); }
  bool is_switched_off(PyObject* code) const;

 private:
  // Whether the interpreter will tell us when the call is over.
  static bool has_c_return(PyObject* callable) {
    return Py_TYPE(callable) != callable_types.function &&
           Py_TYPE(callable) != callable_types.method_descriptor;
  }
  // Types and named callables are told apart one by one, nameless ones (partial objects, other
  // instances) by their type: the address after it, as the type itself can be called, too.
  static CallPath::Key key_of_object(PyObject* callable);

  // Finding a name must not be counted itself.
  template <class Find>
  static std::uint32_t quietly(Find find);

  CalledFunctions& functions_;
  CCallables c_callables_;
  unsigned throttle_window_ = 0;
  boost::unordered_flat_map<CallPath::Key, std::uint32_t> throttled_calls_;  // in this window
};

// Counted calls of throttled functions begin anew when this changes. Of each of them and thread:
inline constexpr std::uint32_t kThrottledCalls = 1'000;
extern std::atomic<unsigned> throttle_window;

// The counters of the calling thread, by user.
extern thread_local std::array<CallCounter*, 2> own_counters [[gnu::tls_model("initial-exec")]];

extern thread_local bool calls_are_uncounted [[gnu::tls_model("initial-exec")]];

// No call of the calling thread is counted while one of these lives.
class UncountedCalls {
 public:
  UncountedCalls() : counters_(own_counters), was_uncounted_(calls_are_uncounted) {
    own_counters = {};
    calls_are_uncounted = true;
  }
  ~UncountedCalls() {
    own_counters = counters_;
    calls_are_uncounted = was_uncounted_;
  }
  UncountedCalls(const UncountedCalls&) = delete;
  UncountedCalls& operator=(const UncountedCalls&) = delete;

  static bool is_active() { return calls_are_uncounted; }

 private:
  std::array<CallCounter*, 2> counters_;
  bool was_uncounted_;
};

template <class Find>
std::uint32_t CallCounter::quietly(Find find) {
  const UncountedCalls uncounted;
  return find();
}

// A thread that has no counter for the recording yet is given one, where one is wanted.
using BeginThread = CallCounter* (*)();
extern BeginThread begin_recorded_thread;

// Of recordings one after another, each has counters of its own: one from before stays with its
// thread, counts nothing, and is given up when the thread gets another. Both with the GIL.
extern unsigned recording_number_of_counters;
extern thread_local unsigned own_counters_recording [[gnu::tls_model("initial-exec")]];

template <CounterUser User>
CallCounter* own_counter() {
  CallCounter* counter = own_counters[static_cast<std::size_t>(User)];
  if constexpr (User == CounterUser::kRecording) {
    const bool is_known =
        counter != nullptr && own_counters_recording == recording_number_of_counters;
    if (!is_known) [[unlikely]] {
      if (begin_recorded_thread != nullptr && !UncountedCalls::is_active()) {
        return begin_recorded_thread();
      }
    }
  }
  return counter;
}

}  // namespace pyrometer
