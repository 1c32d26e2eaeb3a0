#include "collect/inside_module.h"

#include "collect/inside_recording.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

// Values of the dictionary that Python hands over; what is missing is empty.
struct Given {
  PyObject* values;

  PyObject* item(const char* name) const {  // borrowed
    PyObject* found = PyDict_GetItemString(values, name);
    return found == Py_None ? nullptr : found;
  }
  std::string text(const char* name) const {
    PyObject* found = item(name);
    return found == nullptr ? std::string() : text_of(found);
  }
  bool flag(const char* name) const {
    PyObject* found = item(name);
    return found != nullptr && PyObject_IsTrue(found) == 1;
  }
  std::vector<PyObject*> list(const char* name) const {  // borrowed
    std::vector<PyObject*> objects;
    PyObject* found = item(name);
    if (found == nullptr || PyList_Check(found) == 0) return objects;
    for (Py_ssize_t i = 0; i < PyList_Size(found); ++i) objects.push_back(PyList_GetItem(found, i));
    return objects;
  }
  std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> texts;
    for (PyObject* object : list(name)) texts.push_back(text_of(object));
    return texts;
  }
};

// (tid, name, kind)
Session::RunningThread thread_of(PyObject* row, long process) {
  const long tid = PyLong_AsLong(PyTuple_GetItem(row, 0));
  return {.tid = static_cast<int>(tid),
          .thread_class = tid == process ? ThreadClass::kMain : ThreadClass::kPython,
          .name = text_of(PyTuple_GetItem(row, 1)),
          .kind = text_of(PyTuple_GetItem(row, 2))};
}

MemoryMode memory_mode(const std::string& name) {
  if (name.empty()) return MemoryMode::kNone;
  return name == "exact"     ? MemoryMode::kExact
         : name == "objects" ? MemoryMode::kObjects
                             : MemoryMode::kSampled;
}

InsideRequest request_of(const Given& given) {
  InsideRequest request{.output = given.text("output"),
                        .folder = given.text("folder"),
                        .script = given.text("script"),
                        .argv = given.texts("argv"),
                        .replace = given.flag("replace"),
                        .options = {},
                        .targets_file = given.text("targets_file"),
                        .own_thread = {},
                        .threads = {},
                        .left_out = {},
                        .functions = given.list("functions"),
                        .codes = given.list("codes")};
  if (PyObject* rate = given.item("rate")) {
    request.options.rate = PyLong_AsLong(rate);
    request.options.rate_is_fixed = true;
  }
  request.options.counts_calls = given.flag("exact");
  request.options.measures_lines = given.item("lines") != nullptr;
  request.options.line_targets = given.texts("lines");
  request.options.hot_lines = std::erase(request.options.line_targets, "hot") > 0;
  request.options.memory = memory_mode(given.text("memory"));
  const long process = PyLong_AsLong(given.item("pid"));
  for (PyObject* row : given.list("threads")) request.threads.push_back(thread_of(row, process));
  for (PyObject* tid : given.list("left_out")) {
    request.left_out.push_back(static_cast<int>(PyLong_AsLong(tid)));
  }
  if (!request.threads.empty()) {
    request.own_thread = request.threads.front();
    request.threads.erase(request.threads.begin());
  }
  return request;
}

PyObject* raise(const std::string& sentence) {
  PyErr_SetString(PyExc_RuntimeError, sentence.c_str());
  return nullptr;
}

// No exception of ours may pass Python's frames.
template <class Do>
PyObject* guarded(Do&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return raise(error.what());
  }
}

PyObject* begin(PyObject*, PyObject* request) {
  return guarded([&]() -> PyObject* {
    const auto directory = begin_inside(request_of({request}));
    if (!directory) return raise(directory.error().message);
    return PyUnicode_DecodeFSDefault(directory->c_str());
  });
}

PyObject* end(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    const auto ended = end_inside();
    return ended ? PyBool_FromLong(ended->has_all ? 1 : 0) : raise(ended.error().message);
  });
}

PyObject* pause(PyObject*, PyObject*) {
  pause_recording();
  return new_none();
}

PyObject* resume(PyObject*, PyObject*) {
  resume_recording();
  return new_none();
}

PyObject* directory_of_run(PyObject*, PyObject*) {
  const auto directory = recorded_in();
  return directory ? PyUnicode_DecodeFSDefault(directory->c_str()) : new_none();
}

PyMethodDef functions[] = {
    {"begin", &begin, METH_O,
     "begin(request): records this process from now on; the run's directory. RuntimeError says why "
     "not."},
    {"end", &end, METH_NOARGS,
     "end(): ends what begin() began. False when other ranks still record into the directory."},
    {"pause", &pause, METH_NOARGS, "pause(): nothing is recorded until resume()."},
    {"resume", &resume, METH_NOARGS, "resume(): recording goes on."},
    {"recorded_in", &directory_of_run, METH_NOARGS,
     "recorded_in(): the directory of the run that this process is recorded in, or None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_inside_functions(PyObject* module) {
  return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace pyrometer
