// The functions whose lines one user measures: a LineProfiler of the program's, or the recording.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "cpython/python_api.h"
#include "lines/measured_function.h"

namespace pyrometer {

// With the GIL, except where it says otherwise.
class LineMeasurement {
 public:
  enum class Inner : std::uint8_t {
    kApart,     // what is defined inside a function is measured only when it is given, too
    kIncluded,  // its lines are rows of the function's own table
  };
  explicit LineMeasurement(Inner inner = Inner::kApart) : inner_(inner) {}
  LineMeasurement(const LineMeasurement&) = delete;
  LineMeasurement& operator=(const LineMeasurement&) = delete;
  ~LineMeasurement();

  // A version of the code that measures itself, always the same one; its own output is handed
  // back as it is.
  Result<Reference> rewrite(PyObject* code);

  // Measures by the interpreter's events what cannot be rewritten, or runs already. `reason`
  // is for the user.
  Result<void> watch(PyObject* code, const std::string& reason);
  void unwatch(PyObject* code);
  void unwatch_all();

  // The figures of an original or rewritten code; nullptr when it is neither.
  MeasuredFunction* function_of(PyObject* code) const;

  // Also without the GIL: each function once, none of them half-made.
  void visit(const std::function<void(const MeasuredFunction&)>& visitor) const;
  void clear();

 private:
  struct Known {
    MeasuredFunction* function = nullptr;
    Reference rewritten;
    bool is_watched = false;
  };
  MeasuredFunction* make(PyObject* code) const;
  Known& remember(PyObject* code, MeasuredFunction* function);
  Result<void> watch_with(PyObject* code, MeasuredFunction& function);
  MeasuredFunction& find_inner(PyObject* code, MeasuredFunction& table);
  Reference rewritten_inner(PyObject* code, MeasuredFunction& table);

  const Inner inner_;
  std::unordered_map<PyObject*, Known> known_;  // by original code, kept alive by its function
  std::unordered_map<PyObject*, PyObject*> original_of_;  // by rewritten code
  mutable std::mutex mutex_;
  std::vector<MeasuredFunction*> functions_;  // under the lock
};

}  // namespace pyrometer
