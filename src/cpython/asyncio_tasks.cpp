#include "cpython/asyncio_tasks.h"

#include "cpython/python_text.h"

namespace pyrometer {
namespace {

// What is found is kept for good.
PyObject* attribute(PyObject* object, const char* name) {
  PyObject* found = object == nullptr ? nullptr : PyObject_GetAttrString(object, name);
  PyErr_Clear();
  return found;
}

Reference loaded(const char* name) {
  PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), name);  // borrowed
  return module == nullptr ? Reference() : Reference::share(module);
}

void add_items(PyObject* collection, std::vector<PyObject*>& tasks) {
  const Reference iterator = Reference::take(PyObject_GetIter(collection));
  while (iterator) {
    const Reference item = Reference::take(PyIter_Next(iterator.get()));
    if (!item) break;
    PyObject* task = item.get();
    if (PyType_IsSubtype(Py_TYPE(task), &_PyWeakref_RefType) != 0) {
      task = PyWeakref_GetObject(task);  // borrowed
      if (task == nullptr || task == Py_None) continue;
    }
    tasks.push_back(task);
  }
  PyErr_Clear();
}

}  // namespace

std::unique_ptr<AsyncioTasks> AsyncioTasks::find() {
  const Reference native = loaded("_asyncio");
  const Reference tasks = loaded("asyncio.tasks");
  if (!native || !tasks) return nullptr;
  auto found = std::make_unique<AsyncioTasks>();
  return found->find_kinds(native.get(), tasks.get()) ? std::move(found) : nullptr;
}

bool AsyncioTasks::find_kinds(PyObject* native, PyObject* tasks) {
  PyObject* task = attribute(native, "Task");
  PyObject* future = attribute(native, "Future");
  if (task == nullptr || future == nullptr) return false;
  future_ = reinterpret_cast<PyTypeObject*>(future);
  future_done_ = attribute(future, "done");
  waits_for_ = PyUnicode_InternFromString("_fut_waiter");
  native_ = {.type = reinterpret_cast<PyTypeObject*>(task),
             .coroutine = attribute(task, "get_coro"),
             .name = attribute(task, "get_name"),
             .loop = attribute(task, "get_loop"),
             .done = attribute(task, "done"),
             .are_methods = true};
  python_ = {.type = reinterpret_cast<PyTypeObject*>(attribute(tasks, "_PyTask")),
             .coroutine = PyUnicode_InternFromString("_coro"),
             .name = PyUnicode_InternFromString("_name"),
             .loop = PyUnicode_InternFromString("_loop"),
             .done = PyUnicode_InternFromString("_state")};
  all_tasks_ = attribute(native, "all_tasks");
  for (const char* name : {"_all_tasks", "_scheduled_tasks", "_eager_tasks"}) {
    if (all_tasks_ != nullptr) break;
    PyObject* collection = attribute(native, name);
    // A WeakSet is written in Python; what it keeps is a plain set.
    PyObject* data = attribute(collection, "data");
    if (data != nullptr) collection = data;
    if (collection != nullptr) collections_.push_back(collection);
  }
  return native_.coroutine != nullptr && native_.name != nullptr && native_.loop != nullptr &&
         native_.done != nullptr && future_done_ != nullptr &&
         (all_tasks_ != nullptr || !collections_.empty());
}

void AsyncioTasks::list(PyObject* loop, List& all) const {
  if (all_tasks_ == nullptr) {
    for (PyObject* collection : collections_) add_items(collection, all.tasks);
    return;
  }
  Reference tasks = Reference::take(PyObject_CallFunctionObjArgs(all_tasks_, loop, nullptr));
  PyErr_Clear();
  if (!tasks) return;
  add_items(tasks.get(), all.tasks);
  all.owners.push_back(std::move(tasks));
}

const AsyncioTasks::Kind* AsyncioTasks::kind_of(PyObject* object) const {
  for (const Kind* kind : {&native_, &python_}) {
    if (kind->type != nullptr && PyType_IsSubtype(Py_TYPE(object), kind->type) != 0) return kind;
  }
  return nullptr;
}

Reference AsyncioTasks::ask(const Kind& kind, PyObject* what, PyObject* task) {
  Reference answer =
      Reference::take(kind.are_methods ? PyObject_CallFunctionObjArgs(what, task, nullptr)
                                       : PyObject_GenericGetAttr(task, what));
  PyErr_Clear();
  return answer;
}

std::string AsyncioTasks::name(PyObject* task) const {
  const Kind* kind = kind_of(task);
  return kind == nullptr ? std::string() : text_of(ask(*kind, kind->name, task).get());
}

Reference AsyncioTasks::coroutine(PyObject* task) const {
  const Kind* kind = kind_of(task);
  return kind == nullptr ? Reference() : ask(*kind, kind->coroutine, task);
}

Reference AsyncioTasks::loop(PyObject* task) const {
  const Kind* kind = kind_of(task);
  return kind == nullptr ? Reference() : ask(*kind, kind->loop, task);
}

bool AsyncioTasks::is_done(PyObject* task) const {
  const Kind* kind = kind_of(task);
  if (kind == nullptr) return true;
  const Reference done = ask(*kind, kind->done, task);
  if (!done) return true;
  return kind->are_methods ? done.get() == Py_True : text_of(done.get()) != "PENDING";
}

bool AsyncioTasks::is_ready(PyObject* task) const {
  const Reference waits_for = Reference::take(PyObject_GenericGetAttr(task, waits_for_));
  PyErr_Clear();
  if (!waits_for) return false;
  if (waits_for.get() == Py_None) return true;
  if (PyType_IsSubtype(Py_TYPE(waits_for.get()), future_) == 0) return false;
  const Reference done =
      Reference::take(PyObject_CallFunctionObjArgs(future_done_, waits_for.get(), nullptr));
  PyErr_Clear();
  return done.get() == Py_True;
}

}  // namespace pyrometer
