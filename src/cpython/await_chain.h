// Where a coroutine that does not run stands: its own line, what it awaits there, what that awaits,
// down to what somebody else must finish. Read without running code of the program: by what its
// types are made of, and from the frames that coroutines keep. Needs the GIL.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cpython/layout.h"
#include "cpython/python_api.h"
#include "cpython/walk.h"

namespace pyrometer {

class AwaitChains {
 public:
  // Nothing where this interpreter's coroutines are not as we know them. A coroutine is needed to
  // look at. `future` is asyncio's type of what can be awaited.
  static std::unique_ptr<AwaitChains> make(const Layout& layout, PyObject* coroutine,
                                           PyTypeObject* future);

  struct Chain {
    std::vector<RawFrame> frames;  // the coroutine's own first
    Reference awaited;             // what the last of them waits for; none: nothing we know
  };
  Chain read(PyObject* coroutine) const;

  // The frame of a coroutine, also of one that runs; nothing where it has none of Python's.
  std::optional<RawFrame> frame(PyObject* coroutine) const;
  bool is_running(PyObject* coroutine) const;

 private:
  // What has a frame, and the attributes that tell what it does.
  struct Kind {
    PyTypeObject* type = nullptr;
    PyObject *awaits = nullptr, *runs = nullptr;  // kept for good
  };

  AwaitChains(const Layout& layout, PyTypeObject* future) : layout_(layout), future_(future) {}
  bool find_types();
  bool find_frame(PyObject* coroutine);
  const Kind* kind_of(PyObject* object) const;
  std::optional<RawFrame> frame_at(const char* frame) const;
  Reference behind(PyObject* wrapper) const;

  const Layout& layout_;
  PyTypeObject* const future_;
  std::array<Kind, 3> kinds_{};
  std::size_t frame_offset_ = 0;
};

}  // namespace pyrometer
