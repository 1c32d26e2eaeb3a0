// What 3.11 hands to profile and trace functions: a frame object, beside the limited API.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

// Borrowed.
inline PyObject* code_of_frame_object(const PyFrameObject* frame) {
  constexpr std::size_t kFrameOfFrameObject = 24, kCodeOfFrame = 32;
  const char* inner = *reinterpret_cast<const char* const*>(reinterpret_cast<const char*>(frame) +
                                                            kFrameOfFrameObject);
  return *reinterpret_cast<PyObject* const*>(inner + kCodeOfFrame);
}

// Whether frames are laid out as we know them: asked once, with one that is running.
bool can_read_frame_objects();

int line_of_frame_object(PyFrameObject* frame);

// Of one that is being called: whether it stopped before, as a generator.
bool is_resumed(PyFrameObject* frame);

}  // namespace pyrometer
