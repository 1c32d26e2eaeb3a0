// The tasks of asyncio, as this interpreter keeps them: each version does it another way. Runs no
// code of the program, whatever its tasks are subclasses of, and leaves no Python error. Needs the
// GIL; the garbage collector is expected to be off meanwhile.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cpython/python_api.h"

namespace pyrometer {

class AsyncioTasks {
 public:
  // Nothing where asyncio is not there as we know it.
  static std::unique_ptr<AsyncioTasks> find();

  PyTypeObject* future() const { return future_; }
  bool is_task(PyObject* object) const { return kind_of(object) != nullptr; }

  // Tasks of this loop, and perhaps of others, done ones among them. Borrowed: valid as long as the
  // list, and as nothing else runs.
  struct List {
    std::vector<Reference> owners;
    std::vector<PyObject*> tasks;
  };
  void list(PyObject* loop, List& all) const;
  // Whether list() names the tasks of all loops, so that one call is enough.
  bool lists_all_loops() const { return all_tasks_ == nullptr; }

  std::string name(PyObject* task) const;
  Reference coroutine(PyObject* task) const;
  Reference loop(PyObject* task) const;
  bool is_done(PyObject* task) const;
  // Nothing that it awaits is missing: it waits for the loop only.
  bool is_ready(PyObject* task) const;

 private:
  // Both kinds of tasks. The one in C is asked by its own methods, the one in Python by what it
  // keeps: what a subclass made of them is the program's.
  struct Kind {
    PyTypeObject* type = nullptr;
    PyObject *coroutine = nullptr, *name = nullptr, *loop = nullptr, *done = nullptr;
    bool are_methods = false;
  };

  bool find_kinds(PyObject* native, PyObject* tasks);
  const Kind* kind_of(PyObject* object) const;
  static Reference ask(const Kind& kind, PyObject* what, PyObject* task);

  PyTypeObject* future_ = nullptr;
  PyObject* future_done_ = nullptr;
  PyObject* waits_for_ = nullptr;  // the name of an attribute
  Kind native_, python_;
  PyObject* all_tasks_ = nullptr;       // a function; or
  std::vector<PyObject*> collections_;  // sets of tasks, or of weak references to them
};

}  // namespace pyrometer
