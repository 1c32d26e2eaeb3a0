#include "cpython/frame_object.h"

#include <dlfcn.h>

namespace pyrometer {

bool can_read_frame_objects() {
  using GetFrame = PyFrameObject* (*)();
  using GetCode = PyObject* (*)(PyFrameObject*);
  const auto get_frame = reinterpret_cast<GetFrame>(dlsym(RTLD_DEFAULT, "PyEval_GetFrame"));
  const auto get_code = reinterpret_cast<GetCode>(dlsym(RTLD_DEFAULT, "PyFrame_GetCode"));
  if (get_frame == nullptr || get_code == nullptr) return false;
  PyFrameObject* frame = get_frame();  // borrowed
  if (frame == nullptr) return false;
  const Reference code = Reference::take(get_code(frame));
  return code.get() == code_of_frame_object(frame);
}

int line_of_frame_object(PyFrameObject* frame) {
  using GetLine = int (*)(PyFrameObject*);
  static const auto get_line =
      reinterpret_cast<GetLine>(dlsym(RTLD_DEFAULT, "PyFrame_GetLineNumber"));
  return get_line == nullptr ? 0 : get_line(frame);
}

bool is_resumed(PyFrameObject* frame) {
  using GetLast = int (*)(PyFrameObject*);
  static const auto get_last = reinterpret_cast<GetLast>(dlsym(RTLD_DEFAULT, "PyFrame_GetLasti"));
  constexpr int kBytesBeforeFirstLine = 8;  // at most: cells, the generator itself, RESUME
  return get_last != nullptr && get_last(frame) > kBytesBeforeFirstLine;
}

}  // namespace pyrometer
