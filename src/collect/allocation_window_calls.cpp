#include "collect/allocation_window_calls.h"

#include "collect/agent.h"
#include "collect/agent_state.h"
#include "collect/hooks_memory.h"

namespace pyrometer {
namespace {

PyObject* new_text(const std::string& text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
}

// A list of what `make` returns for each element; nullptr with a Python error.
template <class Elements, class Make>
PyObject* new_list(const Elements& elements, Make&& make) {
  Reference list = Reference::take(PyList_New(0));
  for (const auto& element : elements) {
    const Reference made = Reference::take(list ? make(element) : nullptr);
    if (!made || PyList_Append(list.get(), made.get()) != 0) return nullptr;
  }
  return list.release();
}

PyObject* new_place(const Recorder::SourcePlace& place) {
  return Py_BuildValue("(NNI)", new_text(place.file), new_text(place.function), place.line);
}

PyObject* new_row(const MemoryRecording::WindowPlace& place) {
  return Py_BuildValue("(LLLN)", static_cast<long long>(place.at_peak),
                       static_cast<long long>(place.live),
                       static_cast<long long>(place.live_blocks), new_list(place.stack, new_place));
}

}  // namespace

PyObject* begin_memory_window(PyObject*, PyObject* arguments) {
  int of_own_thread = 0;
  if (PyArg_ParseTuple(arguments, "|p:begin_memory_window", &of_own_thread) == 0) return nullptr;
  Session* session = current_session();
  const bool hears_objects = session != nullptr && agent->memory != nullptr &&
                             hear_of_all_object_ends(*agent->memory_library);
  const bool has_begun =
      session != nullptr && session->begin_memory_window(of_own_thread != 0, hears_objects);
  return PyBool_FromLong(has_begun ? 1 : 0);
}

PyObject* end_memory_window(PyObject*, PyObject* arguments) {
  Py_ssize_t most = 50;
  if (PyArg_ParseTuple(arguments, "|n:end_memory_window", &most) == 0) return nullptr;
  Session* session = current_session();
  if (session == nullptr) return new_none();
  try {
    const auto figures = session->end_memory_window(static_cast<std::size_t>(most < 0 ? 0 : most));
    if (!figures) return new_none();
    return Py_BuildValue("(LN)", static_cast<long long>(figures->peak),
                         new_list(figures->places, new_row));
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
}

}  // namespace pyrometer
