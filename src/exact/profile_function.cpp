#include "exact/profile_function.h"

#include <dlfcn.h>

#include "cpython/frame_object.h"

namespace pyrometer {
namespace {

// 3.11's, beside the limited API.
constexpr int kCall = 0, kReturn = 3, kCCall = 4, kCException = 5, kCReturn = 6;

using ProfileFunction = int (*)(PyObject*, PyFrameObject*, int, PyObject*);
using SetProfile = void (*)(ProfileFunction, PyObject*);

SetProfile set_profile() {
  static const auto function =
      reinterpret_cast<SetProfile>(dlsym(RTLD_DEFAULT, "PyEval_SetProfile"));
  return function;
}

template <CounterUser User>
void count(PyFrameObject* frame, int what, PyObject* argument) {
  CallCounter* counter = own_counters[static_cast<std::size_t>(User)];
  if (counter == nullptr) return;
  switch (what) {
    case kCall: counter->python_call(code_of_frame_object(frame)); break;
    case kReturn: counter->python_return(code_of_frame_object(frame)); break;
    case kCCall: counter->c_call(argument, nullptr); break;
    case kCReturn:
    case kCException: counter->c_return(argument, nullptr); break;
    default: break;
  }
}

int on_event(PyObject*, PyFrameObject* frame, int what, PyObject* argument) {
  count<CounterUser::kProfiler>(frame, what, argument);
  count<CounterUser::kRecording>(frame, what, argument);
  return 0;
}

// Whose function the thread has now: ours, nobody's, or another profiler's.
thread_local int users [[gnu::tls_model("initial-exec")]] = 0;

bool has_profiler() {
  const Reference get = Reference::share(PySys_GetObject("getprofile"));
  const Reference current = Reference::take(PyObject_CallNoArgs(get.get()));
  PyErr_Clear();
  return current && current.get() != Py_None;
}

}  // namespace

void set_profile_function_of(PyThreadState* thread) {
  using SetForThread = int (*)(PyThreadState*, ProfileFunction, PyObject*);
  static const auto set = reinterpret_cast<SetForThread>(dlsym(RTLD_DEFAULT, "_PyEval_SetProfile"));
  if (set != nullptr && set(thread, &on_event, nullptr) != 0) PyErr_Clear();
}

Result<void> start_profile_function() {
  const UncountedCalls uncounted;
  // A thread that just began has no frame yet to ask with; the first one has.
  static const bool can_read = can_read_frame_objects();
  if (set_profile() == nullptr || !can_read) {
    return fail(ErrorCode::kUnsupported, "this Python's frames are not as they should be");
  }
  if (users == 0) {
    if (has_profiler()) {
      return fail(ErrorCode::kUnsupported, "another profile function is set in this thread");
    }
    set_profile()(&on_event, nullptr);
  }
  ++users;
  return {};
}

void stop_profile_function() {
  const UncountedCalls uncounted;
  // None: it was set for this thread by another one.
  if (users > 0) --users;
  if (users == 0) set_profile()(nullptr, nullptr);
}

}  // namespace pyrometer
