#include "collect/hot_lines.h"

#include <algorithm>
#include <memory>

#include "cpython/monitoring_tool.h"
#include "cpython/python_text.h"
#include "cpython/python_types.h"
#include "cpython/soon.h"

namespace pyrometer {
namespace {

struct Order {
  LineRecording& lines;
  std::vector<HotFunction> functions;

  bool names(PyObject* code) const {
    const long first_line = number_attribute(code, "co_firstlineno");
    return std::any_of(functions.begin(), functions.end(), [&](const HotFunction& function) {
      return first_line == static_cast<long>(function.first_line) &&
             text_attribute(code, "co_qualname") == function.qualified_name &&
             text_attribute(code, "co_filename") == function.file;
    });
  }

  // Every function that there is, whoever made it.
  void measure_functions() const {
    const Reference gc = Reference::take(PyImport_ImportModule("gc"));
    const Reference all =
        Reference::take(gc ? PyObject_CallMethod(gc.get(), "get_objects", nullptr) : nullptr);
    for (Py_ssize_t i = 0; all && i < PyList_Size(all.get()); ++i) {
      PyObject* object = PyList_GetItem(all.get(), i);  // borrowed
      if (!is_python_function(object)) continue;
      const Reference code = Reference::take(PyObject_GetAttrString(object, "__code__"));
      if (code && names(code.get())) (void)lines.decorate(object);
      PyErr_Clear();
    }
  }

  // Calls that are under way keep the code they began with. Its events are cheap from 3.12 on;
  // before, only the next call is measured.
  void watch_running() const {
    if (!monitoring_module()) return;
    PyObject* current = PySys_GetObject("_current_frames");  // borrowed
    const Reference frames = Reference::take(current ? PyObject_CallNoArgs(current) : nullptr);
    const Reference each = Reference::take(frames ? PyDict_Values(frames.get()) : nullptr);
    for (Py_ssize_t i = 0; each && i < PyList_Size(each.get()); ++i) {
      Reference frame = Reference::share(PyList_GetItem(each.get(), i));
      while (frame && frame.get() != Py_None) {
        const Reference code = Reference::take(PyObject_GetAttrString(frame.get(), "f_code"));
        if (code && names(code.get())) lines.watch(code.get());
        frame = Reference::take(PyObject_GetAttrString(frame.get(), "f_back"));
      }
    }
  }
};

void obey(void* argument) {
  const std::unique_ptr<Order> order(static_cast<Order*>(argument));
  const KeptError kept;
  order->watch_running();
  order->measure_functions();
  PyErr_Clear();
}

}  // namespace

void measure_hot_lines(LineRecording& lines, const std::vector<HotFunction>& functions) {
  auto order = std::make_unique<Order>(Order{lines, functions});
  if (do_soon(&obey, order.get())) {
    [[maybe_unused]] const Order* taken = order.release();
  }
}

}  // namespace pyrometer
