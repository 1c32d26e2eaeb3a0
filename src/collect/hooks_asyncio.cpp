#include "collect/hooks_asyncio.h"

#include "collect/replaced_function.h"
#include "cpython/current_context.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

TaskWatch* watch = nullptr;
TaskFinder* finder = nullptr;
ReplacedFunction set_running_loop;
ReplacedFunction execute_library;
ReplacedFunction execute_builtin;

PyObject* stop_watching(PyObject*, PyObject*) {
  watch->stop();
  return new_none();
}

// Our thread must be gone before the interpreter begins to end.
void stop_at_exit() {
  static PyMethodDef definition = {"stop_watching_tasks", &stop_watching, METH_NOARGS, nullptr};
  const Reference module = Reference::take(PyImport_ImportModule("atexit"));
  const Reference function = Reference::take(PyCFunction_NewEx(&definition, nullptr, nullptr));
  if (module && function) {
    Reference::take(PyObject_CallMethod(module.get(), "register", "O", function.get()));
  }
  PyErr_Clear();
}

// Who calls the coroutines of tasks.
Reference code_of_run() {
  PyObject* events = PyDict_GetItemString(PyImport_GetModuleDict(), "asyncio.events");  // borrowed
  Reference object = events == nullptr ? Reference() : Reference::share(events);
  for (const char* name : {"Handle", "_run", "__code__"}) {
    if (object) object = Reference::take(PyObject_GetAttrString(object.get(), name));
  }
  return object;
}

// The first loop of the program.
void begin() {
  const KeptError kept;
  static bool has_begun = false;
  if (std::exchange(has_begun, true)) return;
  stop_at_exit();
  static PyObject* run = code_of_run().release();  // kept for good
  PyErr_Clear();
  CurrentContext::prepare();
  finder->prepare(reinterpret_cast<std::uintptr_t>(run), CurrentContext::changes_offset());
}

PyObject* call_set_running_loop(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* loop = PyTuple_Size(arguments) == 1 ? PyTuple_GetItem(arguments, 0) : Py_None;
  if (loop != Py_None) begin();
  watch->set_running_loop(loop == Py_None ? nullptr : loop);
  return set_running_loop.call(arguments, keywords);
}

void hook_asyncio() {
  static PyMethodDef definition = method_definition("_set_running_loop", &call_set_running_loop);
  set_running_loop.install("_asyncio", definition, "asyncio.events", "_set_running_loop");
}

// asyncio takes the function over right after it imported the module that has it.
void look_at_module(PyObject* arguments) {
  if (set_running_loop.original != nullptr || PyTuple_Size(arguments) != 1) return;
  const KeptError kept;
  if (text_attribute(PyTuple_GetItem(arguments, 0), "__name__") == "_asyncio") hook_asyncio();
}

PyObject* call_execute_library(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* result = execute_library.call(arguments, keywords);
  if (result != nullptr) look_at_module(arguments);
  return result;
}

PyObject* call_execute_builtin(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* result = execute_builtin.call(arguments, keywords);
  if (result != nullptr) look_at_module(arguments);
  return result;
}

}  // namespace

void hear_of_loops(TaskWatch& task_watch, TaskFinder& task_finder) {
  watch = &task_watch;
  finder = &task_finder;
}

void install_asyncio_hooks() {
  static PyMethodDef library = method_definition("exec_dynamic", &call_execute_library);
  static PyMethodDef builtin = method_definition("exec_builtin", &call_execute_builtin);
  execute_library.install("_imp", library);
  execute_builtin.install("_imp", builtin);
  if (PyDict_GetItemString(PyImport_GetModuleDict(), "_asyncio") != nullptr) hook_asyncio();
}

}  // namespace pyrometer
