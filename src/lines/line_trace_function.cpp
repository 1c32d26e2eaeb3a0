// Events by the trace function of the calling thread, 3.11.
#include <dlfcn.h>

#include "cpython/frame_object.h"
#include "lines/watched_code.h"

namespace pyrometer {
namespace {

// 3.11's, beside the limited API.
constexpr int kCall = 0, kLine = 2, kReturn = 3;

using TraceFunction = int (*)(PyObject*, PyFrameObject*, int, PyObject*);
using SetTrace = void (*)(TraceFunction, PyObject*);

SetTrace set_trace() {
  static const auto function = reinterpret_cast<SetTrace>(dlsym(RTLD_DEFAULT, "PyEval_SetTrace"));
  return function;
}

int on_event(PyObject*, PyFrameObject* frame, int what, PyObject*) {
  if (what != kCall && what != kLine && what != kReturn) return 0;
  const WatchedCode* watched = WatchedCodes::all().find(code_of_frame_object(frame));
  if (watched == nullptr) return 0;
  if (what == kCall) {
    // A generator that goes on is called, too: on the line where it stopped.
    const int line = line_of_frame_object(frame);
    if (is_resumed(frame)) {
      WatchedCodes::resume(*watched, line > 0 ? static_cast<std::uint32_t>(line) : 0);
    } else {
      WatchedCodes::enter(*watched);
    }
  } else if (what == kLine) {
    WatchedCodes::begin_line(*watched, static_cast<std::uint32_t>(line_of_frame_object(frame)));
  } else {
    WatchedCodes::leave(*watched);
  }
  return 0;
}

bool has_trace_function() {
  const Reference get = Reference::share(PySys_GetObject("gettrace"));
  const Reference current = Reference::take(PyObject_CallNoArgs(get.get()));
  PyErr_Clear();
  return current && current.get() != Py_None;
}

bool is_started = false;

}  // namespace

Result<void> start_trace_function() {
  if (is_started) return {};
  const KeptError kept;
  if (set_trace() == nullptr || !can_read_frame_objects()) {
    return fail(ErrorCode::kUnsupported, "this Python's frames are not as they should be");
  }
  if (has_trace_function()) {
    return fail(ErrorCode::kUnsupported, "another trace function is set in this thread");
  }
  set_trace()(&on_event, nullptr);
  is_started = true;
  return {};
}

void stop_trace_function() {
  if (!is_started || !WatchedCodes::all().is_empty()) return;
  const KeptError kept;
  set_trace()(nullptr, nullptr);
  is_started = false;
}

}  // namespace pyrometer
