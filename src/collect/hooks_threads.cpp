// Python threads announce themselves: each start goes through a callable that registers the
// new thread, runs what the program wanted, and says when that is over.
#include <dlfcn.h>

#include <cstddef>

#include "collect/agent.h"
#include "collect/hooks.h"
#include "collect/replaced_function.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

// Called by vectorcall, which Python does not count as a level of recursion: the program's own
// limit is reached where it always was.
using Vectorcall = PyObject* (*)(PyObject* self, PyObject* const* arguments, std::size_t count,
                                 PyObject* keyword_names);

struct ThreadStart {
  PyObject_HEAD PyObject* function;
  Vectorcall call;
};
PyTypeObject* thread_start_type = nullptr;

ReplacedFunction start_new_thread;
ReplacedFunction start_new;
ReplacedFunction start_joinable_thread;

// What the program calls the thread, and what it runs. threading.Thread keeps both in private
// attributes; the public ones could be the program's own code.
struct ThreadNames {
  std::string name, kind;
};

ThreadNames names_of_thread(PyObject* function) {
  const Reference thread = Reference::take(PyObject_GetAttrString(function, "__self__"));
  PyErr_Clear();
  if (!thread) return {"thread", text_attribute(function, "__qualname__")};
  const Reference target = Reference::take(PyObject_GetAttrString(thread.get(), "_target"));
  PyErr_Clear();
  ThreadNames names{text_attribute(thread.get(), "_name"), {}};
  if (target && target.get() != Py_None) names.kind = text_attribute(target.get(), "__qualname__");
  if (names.kind.empty()) {
    names.kind = text_attribute(reinterpret_cast<PyObject*>(Py_TYPE(thread.get())), "__qualname__");
  }
  if (names.name.empty()) names.name = "thread";
  return names;
}

PyObject* as_tuple(PyObject* const* arguments, Py_ssize_t count) {
  PyObject* tuple = PyTuple_New(count);
  for (Py_ssize_t i = 0; tuple != nullptr && i < count; ++i) {
    PyTuple_SetItem(tuple, i, Reference::share(arguments[i]).release());
  }
  return tuple;
}

PyObject* as_dictionary(PyObject* const* values, PyObject* names) {
  PyObject* dictionary = PyDict_New();
  for (Py_ssize_t i = 0; dictionary != nullptr && i < PyTuple_Size(names); ++i) {
    PyDict_SetItem(dictionary, PyTuple_GetItem(names, i), values[i]);
  }
  return dictionary;
}

void begin_thread(PyObject* function) {
  if (Session* session = current_session()) {
    const ThreadNames names = names_of_thread(function);
    session->begin_own_thread(ThreadClass::kPython, names.name, names.kind);
  }
}

// A fork in this thread may have given it another session than it began with.
void end_thread(PyObject* function) {
  if (Session* session = current_session()) {
    const KeptError kept;
    session->end_own_thread(names_of_thread(function).name);
  }
}

// Nothing here has a destructor: see replaced_function.h.
PyObject* run_thread(PyObject* self, PyObject* const* values, std::size_t count,
                     PyObject* keyword_names) {
  PyObject* function = reinterpret_cast<ThreadStart*>(self)->function;
  constexpr std::size_t kOffsetFlag = std::size_t{1} << (8 * sizeof(std::size_t) - 1);
  const auto positional = static_cast<Py_ssize_t>(count & ~kOffsetFlag);
  PyObject* arguments = as_tuple(values, positional);
  PyObject* keywords =
      keyword_names == nullptr ? nullptr : as_dictionary(values + positional, keyword_names);
  PyObject* result = nullptr;
  if (arguments != nullptr && (keyword_names == nullptr || keywords != nullptr)) {
    contained([function] { begin_thread(function); });
    result = PyObject_Call(function, arguments, keywords);
    contained([function] { end_thread(function); });
  }
  Py_DecRef(arguments);
  Py_DecRef(keywords);
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
  start->call = &run_thread;
  return Reference::take(reinterpret_cast<PyObject*>(start));
}

// The arguments with our start around the first one; nullptr: no memory.
PyObject* changed_arguments(PyObject* arguments) {
  const Py_ssize_t count = PyTuple_Size(arguments);
  Reference changed = Reference::take(PyTuple_New(count));
  if (!changed) return nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* argument = PyTuple_GetItem(arguments, i);
    Reference given = i == 0 ? wrapped(argument) : Reference::share(argument);
    if (!given || PyTuple_SetItem(changed.get(), i, given.release()) != 0) return nullptr;
  }
  return changed.release();
}

PyObject* start_thread(const ReplacedFunction& replaced, PyObject* arguments, PyObject* keywords) {
  if (PyTuple_Size(arguments) < 1 || current_session() == nullptr) {
    return replaced.call(arguments, keywords);
  }
  PyObject* changed = changed_arguments(arguments);
  return changed == nullptr ? nullptr : replaced.call_and_release(changed, keywords);
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

// Outside the limited API of 3.11, and the same in all versions.
constexpr unsigned int kHaveVectorcall = 1U << 11U;
void* find_vectorcall_call() { return dlsym(RTLD_DEFAULT, "PyVectorcall_Call"); }

}  // namespace

void install_thread_hooks() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(ThreadStart, call), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_call, find_vectorcall_call()},
                                {Py_tp_repr, reinterpret_cast<void*>(&describe)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                                {Py_tp_members, members},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyrometer.ThreadStart", sizeof(ThreadStart), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                 Py_TPFLAGS_IMMUTABLETYPE | kHaveVectorcall,
                             slots};
  if (thread_start_type == nullptr) {
    thread_start_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  }
  if (thread_start_type == nullptr) {
    PyErr_Clear();
    return;
  }
  static PyMethodDef new_thread = method_definition("start_new_thread", &call_start_new_thread);
  static PyMethodDef new_alias = method_definition("start_new", &call_start_new);
  static PyMethodDef joinable =
      method_definition("start_joinable_thread", &call_start_joinable_thread);
  start_new_thread.install("_thread", new_thread, "threading", "_start_new_thread");
  start_new.install("_thread", new_alias);
  start_joinable_thread.install("_thread", joinable, "threading", "_start_joinable_thread");
}

void uninstall_thread_hooks() {
  start_new_thread.uninstall("_thread", "start_new_thread", "threading", "_start_new_thread");
  start_new.uninstall("_thread", "start_new");
  start_joinable_thread.uninstall("_thread", "start_joinable_thread", "threading",
                                  "_start_joinable_thread");
}

}  // namespace pyrometer
