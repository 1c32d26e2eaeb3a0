#include "collect/line_decorator.h"

#include "collect/agent.h"
#include "collect/python_modules.h"
#include "cpython/python_types.h"

namespace pyrometer {
namespace {

LineRecording* recording = nullptr;
Path targets_file;
PyObject* decorator = nullptr;  // kept for good

// Python's own code knows best what is behind methods, properties, partial objects and classes;
// it lies beside us, and is loaded when somebody decorates such a thing.
Reference functions_behind(PyObject* target) {
  static PyObject* names = nullptr;  // of that file, owned
  if (names == nullptr) names = run_own_file(targets_file, "pyrometer._line_targets");
  if (names == nullptr) return {};
  PyObject* find = PyDict_GetItemString(names, "find_functions");  // borrowed
  if (find == nullptr) return {};
  return Reference::take(PyObject_CallFunctionObjArgs(find, target, nullptr));
}

void tell(PyObject* target, const std::string& reason) {
  const Reference text = Reference::take(PyObject_Repr(target));
  const char* name = text ? PyUnicode_AsUTF8AndSize(text.get(), nullptr) : nullptr;
  PyErr_Clear();
  if (Session* session = current_session()) {
    session->message(MessageLevel::kWarning,
                     fmt::format("the lines of {} cannot be measured: {}",
                                 name == nullptr ? "a decorated object" : name, reason));
  }
}

void measure_function(PyObject* function) {
  if (const auto done = recording->decorate(function); !done) tell(function, done.error().message);
}

// One that functools.wraps made stands for another.
bool is_plain_function(PyObject* target) {
  return is_python_function(target) && PyObject_HasAttrString(target, "__wrapped__") == 0;
}

void measure(PyObject* target) {
  if (recording == nullptr) return;
  const KeptError kept;
  if (is_plain_function(target)) {
    measure_function(target);
    return;
  }
  const Reference functions = functions_behind(target);
  const Py_ssize_t count = functions ? PyList_Size(functions.get()) : 0;
  PyErr_Clear();
  if (count <= 0 && is_python_function(target)) {  // around what has no lines
    measure_function(target);
  } else if (count <= 0) {
    tell(target, "it has no lines that run as Python");
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    (void)recording->decorate(PyList_GetItem(functions.get(), i));
  }
}

PyObject* decorate(PyObject*, PyObject* arguments, PyObject*) {
  PyObject* target = nullptr;
  if (PyArg_ParseTuple(arguments, "O:profile", &target) == 0) return nullptr;
  measure(target);
  Py_IncRef(target);
  return target;
}

PyObject* add_function(PyObject*, PyObject* target) {
  measure(target);
  return new_none();
}
PyObject* do_nothing(PyObject*, PyObject*) { return new_none(); }
PyObject* enter(PyObject* self, PyObject*) {
  Py_IncRef(self);
  return self;
}

// What scripts that were written for kernprof may call, besides decorating.
PyMethodDef methods[] = {
    {"add_function", &add_function, METH_O, "Measure the lines of this function."},
    {"add_callable", &add_function, METH_O, "Measure the lines of this callable."},
    {"enable", &do_nothing, METH_VARARGS, nullptr},
    {"disable", &do_nothing, METH_VARARGS, nullptr},
    {"enable_by_count", &do_nothing, METH_VARARGS, nullptr},
    {"disable_by_count", &do_nothing, METH_VARARGS, nullptr},
    {"dump_stats", &do_nothing, METH_VARARGS, "The recording has them."},
    {"print_stats", &do_nothing, METH_VARARGS, "The recording has them."},
    {"__enter__", &enter, METH_NOARGS, nullptr},
    {"__exit__", &do_nothing, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

Reference new_decorator() {
  static char documentation[] = "profile(function)\n\nMeasure the lines of this function.";
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(&decorate)},
                                {Py_tp_methods, methods},
                                {Py_tp_doc, documentation},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyrometer.profile", sizeof(PyObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  const Reference type = Reference::take(PyType_FromSpec(&spec));
  if (!type || PyObject_SetAttrString(type.get(), "__pyrometer__", Py_True) != 0) return {};
  return Reference::take(PyObject_New(PyObject, reinterpret_cast<PyTypeObject*>(type.get())));
}

}  // namespace

void install_line_decorator(LineRecording& lines, const Path& file) {
  recording = &lines;
  targets_file = file;
  const Reference builtins = Reference::take(PyImport_ImportModule("builtins"));
  if (decorator == nullptr) decorator = new_decorator().release();
  const bool is_free = builtins && PyObject_HasAttrString(builtins.get(), "profile") == 0;
  if (is_free && decorator != nullptr) {
    PyObject_SetAttrString(builtins.get(), "profile", decorator);
  }
  PyErr_Clear();
}

void uninstall_line_decorator() {
  recording = nullptr;
  const Reference builtins = Reference::take(PyImport_ImportModule("builtins"));
  const Reference found =
      Reference::take(builtins ? PyObject_GetAttrString(builtins.get(), "profile") : nullptr);
  if (found && found.get() == decorator) PyObject_DelAttrString(builtins.get(), "profile");
  PyErr_Clear();
}

}  // namespace pyrometer
