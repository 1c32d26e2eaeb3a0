#include "exact/profile_function.h"

#include <dlfcn.h>

#include "cpython/frame_object.h"
#include "cpython/symbols.h"

namespace pyrometer {
namespace {

// 3.11's, beside the limited API.
constexpr std::size_t kFunctionOfThread = 64;
constexpr int kCall = 0, kReturn = 3, kCCall = 4, kCException = 5, kCReturn = 6;

using ProfileFunction = int (*)(PyObject*, PyFrameObject*, int, PyObject*);
using SetProfile = void (*)(ProfileFunction, PyObject*);

SetProfile set_profile() {
  static const auto function =
      reinterpret_cast<SetProfile>(dlsym(RTLD_DEFAULT, "PyEval_SetProfile"));
  return function;
}

bool is_recording_over = false;

// How many asked for events of this thread.
thread_local int users [[gnu::tls_model("initial-exec")]] = 0;

template <CounterUser User>
void count(PyFrameObject* frame, int what, PyObject* argument) {
  // A thread that did not begin by itself is met at its first call.
  const bool is_new = users == 0 || own_counters_recording != recording_number_of_counters;
  const bool is_begin = is_new && (what == kCall || what == kCCall);
  CallCounter* counter =
      is_begin ? own_counter<User>() : own_counters[static_cast<std::size_t>(User)];
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

// The recording is over, and no Profile of the program's is at work in this thread.
bool is_left_over() {
  constexpr auto kProfiler = static_cast<std::size_t>(CounterUser::kProfiler);
  return is_recording_over && own_counters[kProfiler] == nullptr && !UncountedCalls::is_active();
}

int on_event(PyObject*, PyFrameObject* frame, int what, PyObject* argument) {
  if (is_left_over()) {
    users = 0;
    set_profile()(nullptr, nullptr);
    return 0;
  }
  count<CounterUser::kProfiler>(frame, what, argument);
  count<CounterUser::kRecording>(frame, what, argument);
  return 0;
}

// nullptr: the thread has none.
ProfileFunction function_of(const PyThreadState* thread) {
  const char* place = reinterpret_cast<const char*>(thread) + kFunctionOfThread;
  return *reinterpret_cast<const ProfileFunction*>(place);
}

bool has_own_function() { return function_of(PyThreadState_Get()) == &on_event; }

// What was set is found again, or threads are not laid out as we know them.
Result<void> take_own_slot() {
  if (function_of(PyThreadState_Get()) != nullptr) {
    return fail(ErrorCode::kUnsupported,
                "another profiler is at work in this thread (sys.getprofile() tells which), and "
                "this Python has room for one; stop it first");
  }
  set_profile()(&on_event, nullptr);
  if (has_own_function()) return {};
  set_profile()(nullptr, nullptr);
  return fail(ErrorCode::kUnsupported, "this Python's threads are not as they should be");
}

}  // namespace

void note_recording_over(bool is_over) { is_recording_over = is_over; }

std::size_t set_profile_function_of_others() {
  const Symbols symbols = find_symbols();
  if (symbols.first_thread_state == nullptr || symbols.next_thread_state == nullptr) return 0;
  std::size_t taken = 0;
  const PyThreadState* own = PyThreadState_Get();
  for (PyThreadState* each = symbols.first_thread_state(PyInterpreterState_Get()); each != nullptr;
       each = symbols.next_thread_state(each)) {
    if (each != own && !set_profile_function_of(each)) ++taken;
  }
  return taken;
}

bool set_profile_function_of(PyThreadState* thread) {
  using SetForThread = int (*)(PyThreadState*, ProfileFunction, PyObject*);
  static const auto set = reinterpret_cast<SetForThread>(dlsym(RTLD_DEFAULT, "_PyEval_SetProfile"));
  const ProfileFunction current = function_of(thread);
  if (current != nullptr) return current == &on_event;
  if (set != nullptr && set(thread, &on_event, nullptr) != 0) PyErr_Clear();
  return true;
}

Result<void> start_profile_function() {
  const UncountedCalls uncounted;
  // A thread that just began has no frame yet to ask with; the first one has.
  static const bool can_read = can_read_frame_objects();
  if (set_profile() == nullptr || !can_read) {
    return fail(ErrorCode::kUnsupported, "this Python's frames are not as they should be");
  }
  if (!has_own_function()) PYROMETER_TRY_VOID(take_own_slot());
  ++users;
  return {};
}

void stop_profile_function() {
  const UncountedCalls uncounted;
  // None: it was set for this thread by another one.
  if (users > 0) --users;
  if (users == 0 && has_own_function()) set_profile()(nullptr, nullptr);
}

}  // namespace pyrometer
