// Measures lines for the recording: chooses the functions as the program's modules are loaded,
// and writes what their lines took once per second.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collect/line_selection.h"
#include "collect/own_files.h"
#include "collect/recorder.h"
#include "lines/line_measurement.h"

namespace pyrometer {

class LineRecording {
 public:
  struct Options {
    std::vector<std::string> targets;
    bool with_imports = false;  // also what the main module imports
    bool hot = false;           // also the hottest functions, once these are known
  };
  explicit LineRecording(const Options& options);

  const OwnFiles& own_files() const { return own_files_; }

  // A module is about to run: the code to run instead (owned), or nullptr for the same. With the
  // GIL; leaves no Python error.
  PyObject* measured_module(PyObject* code, const std::string& loaded_as);

  // A function that was decorated: measured from now on. An error says why not.
  Result<void> decorate(PyObject* function);
  // Code that runs already: by events, where there is no better way.
  void watch(PyObject* code);

  // Whether the hottest functions are wanted, and not known yet.
  bool wants_hot_functions() const { return waits_for_hot_; }
  void stop_waiting_for_hot() { waits_for_hot_ = false; }

  void restart_after_fork();

  // For the session's thread.
  void write(Recorder& recorder, std::int64_t now);

 private:
  Reference measured_tree(PyObject* code, const std::string& module_name);
  Reference measured(PyObject* code);
  // Whether code is chosen with its module, rather than by decorators or heat.
  bool selects_modules() const {
    return !selects_nothing_ && !(selection_.is_everything_own() && takes_decorated_only_);
  }
  void select_imports_of(PyObject* code);
  std::uint32_t record_of(const MeasuredFunction& function, Recorder& recorder);
  void write_engines(Recorder& recorder);

  LineSelection selection_;
  std::optional<LineSelection> imports_;  // of the main module, where they are wanted
  OwnFiles own_files_;
  bool wants_imports_;
  bool selects_nothing_;  // until the hottest functions are known
  std::atomic<bool> waits_for_hot_;
  std::atomic<bool> takes_decorated_only_ = false;
  LineMeasurement measurement_;

  // Of the session's thread.
  using Position = std::pair<std::uint32_t, std::uint32_t>;  // record of the function, line
  struct Written {
    std::int64_t hits = 0, time = 0;
    friend bool operator==(const Written&, const Written&) = default;
  };
  std::map<Position, Written> written_;
  std::unordered_map<const MeasuredFunction*, std::uint32_t> records_;
  std::string engines_;
  bool has_new_engines_ = false;
};

}  // namespace pyrometer
