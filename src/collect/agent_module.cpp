// The Python module `pyrometer._agent`. Its one function is called by the start-up hook.
#include "collect/agent.h"
#include "cpython/python_api.h"
#include "exact/profiler_object.h"
#include "lines/line_times_object.h"

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

PyMethodDef functions[] = {
    {"start", &start, METH_VARARGS,
     "start([file of the caller]): begins to record this process if its environment asks for it."},
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
  if (pyrometer::add_profiler_type(agent) && pyrometer::add_line_times_type(agent)) return agent;
  Py_DecRef(agent);
  return nullptr;
}
