// A process that forks, becomes another program or ends at once: the recording must be closed
// or begun anew around each.
#include <utility>

#include "collect/agent.h"
#include "collect/hooks.h"
#include "collect/replaced_function.h"

namespace pyrometer {
namespace {

ReplacedFunction exit_now;
ReplacedFunction execute;
ReplacedFunction execute_with_environment;

void finish(EndReason reason, std::int64_t status) {
  if (current_session() != nullptr) current_session()->finish(reason, status);
}

PyObject* call_exit(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* status = PyTuple_Size(arguments) > 0 ? PyTuple_GetItem(arguments, 0)
                     : keywords != nullptr       ? PyDict_GetItemString(keywords, "status")
                                                 : nullptr;
  // What is no number is an error that Python will report: the process goes on.
  if (status != nullptr && PyLong_Check(status) != 0) {
    const long number = PyLong_AsLong(status);
    PyErr_Clear();
    finish(EndReason::kExit, number & 0xff);
  }
  return exit_now.call(arguments, keywords);
}

PyObject* call_execute(PyObject*, PyObject* arguments, PyObject* keywords) {
  finish(EndReason::kExec, 0);
  return execute.call(arguments, keywords);
}

PyObject* call_execute_with_environment(PyObject*, PyObject* arguments, PyObject* keywords) {
  finish(EndReason::kExec, 0);
  return execute_with_environment.call(arguments, keywords);
}

PyObject* call_before_fork(PyObject*, PyObject*) {
  contained(&before_fork);
  return new_none();
}
PyObject* call_after_fork_in_parent(PyObject*, PyObject*) {
  contained(&after_fork_in_parent);
  return new_none();
}
PyObject* call_after_fork_in_child(PyObject*, PyObject*) {
  contained(&after_fork_in_child);
  return new_none();
}

bool add_callback(PyObject* callbacks, const char* moment, PyMethodDef& definition) {
  const Reference function = Reference::take(PyCFunction_NewEx(&definition, nullptr, nullptr));
  return function && PyDict_SetItemString(callbacks, moment, function.get()) == 0;
}

// Once: there is no way back, and they do nothing while nothing is recorded.
void register_fork_callbacks() {
  static bool is_done = false;
  if (std::exchange(is_done, true)) return;
  static PyMethodDef before = {"before_fork", &call_before_fork, METH_NOARGS, nullptr};
  static PyMethodDef in_parent = {"after_fork_in_parent", &call_after_fork_in_parent, METH_NOARGS,
                                  nullptr};
  static PyMethodDef in_child = {"after_fork_in_child", &call_after_fork_in_child, METH_NOARGS,
                                 nullptr};
  const Reference module = Reference::take(PyImport_ImportModule("posix"));
  const Reference register_function =
      module ? Reference::take(PyObject_GetAttrString(module.get(), "register_at_fork"))
             : Reference();
  const Reference callbacks = Reference::take(PyDict_New());
  const Reference nothing = Reference::take(PyTuple_New(0));
  if (register_function && callbacks && nothing &&
      add_callback(callbacks.get(), "before", before) &&
      add_callback(callbacks.get(), "after_in_parent", in_parent) &&
      add_callback(callbacks.get(), "after_in_child", in_child)) {
    Reference::take(PyObject_Call(register_function.get(), nothing.get(), callbacks.get()));
  }
  PyErr_Clear();
}

}  // namespace

void install_process_hooks() {
  static PyMethodDef exit_definition = method_definition("_exit", &call_exit);
  static PyMethodDef execv_definition = method_definition("execv", &call_execute);
  static PyMethodDef execve_definition =
      method_definition("execve", &call_execute_with_environment);
  exit_now.install("posix", exit_definition, "os", "_exit");
  execute.install("posix", execv_definition, "os", "execv");
  execute_with_environment.install("posix", execve_definition, "os", "execve");
  register_fork_callbacks();
}

void uninstall_process_hooks() {
  exit_now.uninstall("posix", "_exit", "os", "_exit");
  execute.uninstall("posix", "execv", "os", "execv");
  execute_with_environment.uninstall("posix", "execve", "os", "execve");
}

void install_hooks() {
  install_thread_hooks();
  install_process_hooks();
  install_signal_hooks();
}

void uninstall_hooks() {
  uninstall_signal_hooks();
  uninstall_process_hooks();
  uninstall_thread_hooks();
}

}  // namespace pyrometer
