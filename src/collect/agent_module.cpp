// The Python module `pyrometer._agent`: what the start-up hook and the Python package call.
#include "collect/agent.h"
#include "collect/allocation_window_calls.h"
#include "collect/hooks_memory.h"
#include "collect/inside_module.h"
#include "cpython/python_api.h"
#include "exact/profiler_object.h"
#include "lines/line_activations.h"
#include "lines/line_times_object.h"
#include "timers/region_object.h"

namespace {

PyObject* start(PyObject*, PyObject* arguments) {
  const char* hook = "";
  if (PyArg_ParseTuple(arguments, "|s:start", &hook) == 0) return nullptr;
  try {
    pyrometer::start_agent(hook);
  } catch (const std::exception&) {  // no memory: the program may still have enough
  }
  PyErr_Clear();
  return pyrometer::new_none();
}

// The library before malloc, where every byte of a line passes it; else nullptr.
const pyrometer_memory_table* exact_memory_library() {
  const auto* library = pyrometer::find_memory_library();
  return library != nullptr && pyrometer::objects_come_from_malloc(*library) ? library : nullptr;
}

PyObject* measure_memory(PyObject*, PyObject*) {
  const auto* library = exact_memory_library();
  if (library != nullptr) pyrometer::LineActivations::measure_memory(*library);
  return PyBool_FromLong(library != nullptr ? 1 : 0);
}

PyObject* own_memory(PyObject*, PyObject*) {
  static const auto* library = exact_memory_library();
  if (library == nullptr) return pyrometer::new_none();
  const pyrometer_thread_memory& own = *library->own_thread();
  return Py_BuildValue("(LL)", static_cast<long long>(library->heap() + own.live - own.published),
                       static_cast<long long>(own.live));
}

// As at an exec that fails: everything is written, and recording goes on.
PyObject* write_recording(PyObject*, PyObject*) {
  pyrometer::Session* session = pyrometer::current_session();
  if (session != nullptr) session->finish(pyrometer::EndReason::kStopped, 0);
  return PyBool_FromLong(session != nullptr ? 1 : 0);
}

PyObject* keep_source(PyObject*, PyObject* arguments) {
  const char* file = nullptr;
  const char* text = nullptr;
  if (PyArg_ParseTuple(arguments, "ss:keep_source", &file, &text) == 0) return nullptr;
  try {
    if (auto* session = pyrometer::current_session()) session->keep_source(file, text);
  } catch (const std::exception&) {  // no memory: the program may still have enough
  }
  return pyrometer::new_none();
}

PyMethodDef functions[] = {
    {"start", &start, METH_VARARGS,
     "start([file of the caller]): begins to record this process if its environment asks for it."},
    {"measure_memory", &measure_memory, METH_NOARGS,
     "measure_memory(): lines that are measured from now on have memory, too. False where not "
     "every byte is counted."},
    {"own_memory", &own_memory, METH_NOARGS,
     "own_memory(): bytes that the process has from malloc, and what this thread allocated less "
     "what it freed; None where that is not counted."},
    {"begin_memory_window", &pyrometer::begin_memory_window, METH_VARARGS,
     "begin_memory_window([own thread only]): follows every block that is made from now on. False "
     "where memory is not recorded, or somebody else does so."},
    {"end_memory_window", &pyrometer::end_memory_window, METH_VARARGS,
     "end_memory_window([most]): the most bytes that were live at once of what was made since its "
     "beginning, and the places that held most of it or still do: bytes then, bytes and blocks "
     "now, and the stack as (file, function, line), the innermost first. None without a window."},
    {"write_recording", &write_recording, METH_NOARGS,
     "write_recording(): everything until now is in the recording's file. False without one."},
    {"keep_source", &keep_source, METH_VARARGS,
     "keep_source(file, text): the recording of this process, if there is one, gets the text of "
     "code that is in no file."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "_agent",
                      "Pyrometer's recorder.",
                      -1,
                      functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name Python looks for.
PyMODINIT_FUNC PyInit__agent() {
  PyObject* agent = PyModule_Create(&module);
  if (agent == nullptr) return nullptr;
  if (pyrometer::add_inside_functions(agent) && pyrometer::add_profiler_type(agent) &&
      pyrometer::add_line_times_type(agent) && pyrometer::add_timers(agent)) {
    return agent;
  }
  Py_DecRef(agent);
  return nullptr;
}
