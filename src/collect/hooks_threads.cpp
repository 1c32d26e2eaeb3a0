// Python threads announce themselves: each start goes through a callable that registers the
// new thread, runs what the program wanted, and says when that is over.
#include "collect/agent.h"
#include "collect/hooks.h"
#include "collect/replaced_function.h"

namespace pyrometer {
namespace {

struct ThreadStart {
  PyObject_HEAD PyObject* function;
};
PyTypeObject* thread_start_type = nullptr;

ReplacedFunction start_new_thread;
ReplacedFunction start_new;
ReplacedFunction start_joinable_thread;

// threading.Thread keeps its name in `_name`; the property could be the program's own.
std::string name_of_thread(PyObject* function) {
  const Reference thread = Reference::take(PyObject_GetAttrString(function, "__self__"));
  const Reference name =
      thread ? Reference::take(PyObject_GetAttrString(thread.get(), "_name")) : Reference();
  Py_ssize_t size = 0;
  const char* text = name && PyUnicode_Check(name.get()) != 0
                         ? PyUnicode_AsUTF8AndSize(name.get(), &size)
                         : nullptr;
  PyErr_Clear();
  return text == nullptr ? "thread" : std::string(text, static_cast<std::size_t>(size));
}

PyObject* run_thread(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* function = reinterpret_cast<ThreadStart*>(self)->function;
  Session* session = current_session();
  if (session != nullptr) session->begin_own_thread(ThreadClass::kPython, name_of_thread(function));
  PyObject* result = PyObject_Call(function, arguments, keywords);
  // A fork in this thread may have given it another session.
  session = current_session();
  if (session != nullptr) {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    session->end_own_thread(name_of_thread(function));
    PyErr_Restore(type, value, traceback);
  }
  return result;
}

// Python names the callable when it reports an exception of a thread: it names the program's.
PyObject* describe(PyObject* self) {
  return PyObject_Repr(reinterpret_cast<ThreadStart*>(self)->function);
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_DecRef(reinterpret_cast<ThreadStart*>(self)->function);
  PyObject_Free(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

// The program's callable with our start around it; what is not callable goes through as it is,
// so that Python complains as always.
Reference wrapped(PyObject* function) {
  if (PyCallable_Check(function) == 0) return Reference::share(function);
  auto* start = PyObject_New(ThreadStart, thread_start_type);
  if (start == nullptr) return {};
  Py_IncRef(function);
  start->function = function;
  return Reference::take(reinterpret_cast<PyObject*>(start));
}

PyObject* start_thread(const ReplacedFunction& replaced, PyObject* arguments, PyObject* keywords) {
  const Py_ssize_t count = PyTuple_Size(arguments);
  if (count < 1 || current_session() == nullptr) return replaced.call(arguments, keywords);
  const Reference changed = Reference::take(PyTuple_New(count));
  if (!changed) return nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* argument = PyTuple_GetItem(arguments, i);
    Reference given = i == 0 ? wrapped(argument) : Reference::share(argument);
    if (!given || PyTuple_SetItem(changed.get(), i, given.release()) != 0) return nullptr;
  }
  return replaced.call(changed.get(), keywords);
}

PyObject* call_start_new_thread(PyObject*, PyObject* arguments, PyObject* keywords) {
  return start_thread(start_new_thread, arguments, keywords);
}
PyObject* call_start_new(PyObject*, PyObject* arguments, PyObject* keywords) {
  return start_thread(start_new, arguments, keywords);
}
PyObject* call_start_joinable_thread(PyObject*, PyObject* arguments, PyObject* keywords) {
  return start_thread(start_joinable_thread, arguments, keywords);
}

template <class Function>
PyMethodDef definition(const char* name, Function function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_VARARGS | METH_KEYWORDS, nullptr};
}

}  // namespace

void install_thread_hooks() {
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(&run_thread)},
                                {Py_tp_repr, reinterpret_cast<void*>(&describe)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyrometer.ThreadStart", sizeof(ThreadStart), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  thread_start_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (thread_start_type == nullptr) {
    PyErr_Clear();
    return;
  }
  static PyMethodDef new_thread = definition("start_new_thread", &call_start_new_thread);
  static PyMethodDef new_alias = definition("start_new", &call_start_new);
  static PyMethodDef joinable = definition("start_joinable_thread", &call_start_joinable_thread);
  start_new_thread.install("_thread", new_thread, "threading", "_start_new_thread");
  start_new.install("_thread", new_alias);
  start_joinable_thread.install("_thread", joinable, "threading", "_start_joinable_thread");
}

}  // namespace pyrometer
