// A program may use any signal, ours too: we step aside before it does, and never let our
// signal wait blocked where sigwait() would hand it to the program.
#include "collect/agent.h"
#include "collect/hooks.h"
#include "collect/replaced_function.h"

namespace pyrometer {
namespace {

ReplacedFunction set_handler;
ReplacedFunction set_mask;

PyObject* call_signal(PyObject*, PyObject* arguments, PyObject* keywords) {
  if (current_session() != nullptr && PyTuple_Size(arguments) > 0) {
    const long signal = PyLong_AsLong(PyTuple_GetItem(arguments, 0));
    PyErr_Clear();
    current_session()->give_up_signal(static_cast<int>(signal));
  }
  return set_handler.call(arguments, keywords);
}

// The same signals without ours; nothing when none is among them or the program passed
// something that Python will complain about.
Reference without_our_signals(PyObject* signals) {
  Reference copy = Reference::take(PySet_New(signals));
  bool has_ours = false;
  const TickSignals all = current_session()->signals();
  for (const int signal : {all.usual, all.trap}) {
    const Reference ours = Reference::take(PyLong_FromLong(signal));
    has_ours |= copy && ours && PySet_Discard(copy.get(), ours.get()) == 1;
  }
  PyErr_Clear();
  return has_ours ? std::move(copy) : Reference();
}

// The arguments with fewer signals in the mask; nullptr when they may stay as they are.
PyObject* changed_arguments(PyObject* arguments) {
  // An iterator can be read once only: then it is left to Python.
  if (current_session() == nullptr || PyTuple_Size(arguments) != 2 ||
      PyIter_Check(PyTuple_GetItem(arguments, 1)) != 0) {
    return nullptr;
  }
  const Reference fewer = without_our_signals(PyTuple_GetItem(arguments, 1));
  return fewer ? PyTuple_Pack(2, PyTuple_GetItem(arguments, 0), fewer.get()) : nullptr;
}

PyObject* call_pthread_sigmask(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* changed = changed_arguments(arguments);
  return changed == nullptr ? set_mask.call(arguments, keywords)
                            : set_mask.call_and_release(changed, keywords);
}

}  // namespace

void install_signal_hooks() {
  static PyMethodDef signal = method_definition("signal", &call_signal);
  static PyMethodDef mask = method_definition("pthread_sigmask", &call_pthread_sigmask);
  set_handler.install("_signal", signal);
  set_mask.install("_signal", mask);
}

void uninstall_signal_hooks() {
  set_handler.uninstall("_signal", "signal");
  set_mask.uninstall("_signal", "pthread_sigmask");
}

}  // namespace pyrometer
