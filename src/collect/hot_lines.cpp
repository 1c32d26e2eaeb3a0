#include "collect/hot_lines.h"

#include <algorithm>
#include <memory>

#include "collect/loaded_code.h"
#include "cpython/monitoring_tool.h"
#include "cpython/python_text.h"
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

  void measure_functions() const {
    visit_functions([this](PyObject* function, PyObject* code) {
      if (names(code)) (void)lines.decorate(function);
    });
  }

  // Calls that are under way keep the code they began with. Its events are cheap from 3.12 on;
  // before, only the next call is measured.
  void watch_running() const {
    if (!monitoring_module()) return;
    visit_running_codes([this](PyObject* code, const std::string&) {
      if (names(code)) lines.watch(code);
    });
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
