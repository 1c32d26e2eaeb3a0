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
#include "collect/write_pace.h"
#include "lines/line_measurement.h"

namespace pyrometer {

class LineRecording {
 public:
  struct Options {
    std::vector<std::string> targets;
    bool with_imports = false;  // also what the main module imports
    bool hot = false;           // also the hottest functions, once these are known
    bool will_stop = false;     // before the program ends
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

  // Everything that there is now and is wanted, in the middle of a program, and these functions.
  // With the GIL.
  void measure_loaded(const std::vector<PyObject*>& functions);
  // All functions have the code again that they had. With the GIL; the last write() is done. Never
  // destroyed, as somebody may be asked to measure hot lines still.
  void stop();

  // What is measured in between is left out. For the session's thread, while nobody runs Python.
  void pause();
  void resume();

  void restart_after_fork();

  // For the session's thread.
  void write(Recorder& recorder, std::int64_t now, bool is_last);

 private:
  Reference measured_tree(PyObject* code, const std::string& module_name);
  enum class Wish : std::uint8_t { kNone, kOwn, kNamed };
  Wish wish_for(PyObject* code, const std::string& module_name) const;
  void remember_original(PyObject* changed, PyObject* original);
  Reference measured(PyObject* code);
  // Whether code is chosen with its module, rather than by decorators or heat.
  bool selects_modules() const {
    return !selects_nothing_ && !(selection_.is_everything_own() && takes_decorated_only_);
  }
  void select_imports_of(PyObject* code);
  std::uint32_t record_of(const MeasuredFunction& function, Recorder& recorder);
  void write_engines(Recorder& recorder);
  // Bytes, before compression.
  std::size_t write_times(Recorder& recorder, std::int64_t now);
  std::size_t write_memory(Recorder& recorder, std::int64_t now);

  LineSelection selection_;
  std::optional<LineSelection> imports_;  // of the main module, where they are wanted
  OwnFiles own_files_;
  bool wants_imports_;
  bool selects_nothing_;  // until the hottest functions are known
  std::atomic<bool> waits_for_hot_;
  const bool will_stop_;
  std::atomic<bool> takes_decorated_only_ = false;
  LineMeasurement measurement_;

  // With the GIL: of code that was changed, what it was, if that will be needed.
  struct ChangedCode {
    Reference changed, original;
  };
  std::unordered_map<PyObject*, ChangedCode> changed_codes_;

  // Of the session's thread.
  struct Figures {
    std::int64_t hits = 0, time = 0, self = 0, returns = 0;  // times in counts
    Figures operator-(const Figures& other) const {
      return {hits - other.hits, time - other.time, self - other.self, returns - other.returns};
    }
    Figures& operator+=(const Figures& more) { return *this = *this - (Figures() - more); }
    bool is_nothing() const { return hits == 0 && time == 0; }
  };
  using FiguresOfLines = std::unordered_map<const MeasuredLine*, Figures>;
  FiguresOfLines seen() const;
  bool is_paused_ = false;
  FiguresOfLines at_pause_, left_out_;  // the latter of all pauses that are over
  using Position = std::pair<std::uint32_t, std::uint32_t>;  // record of the function, line
  struct Written {
    std::int64_t hits = 0, time = 0;
    friend bool operator==(const Written&, const Written&) = default;
  };
  std::map<Position, Written> written_;
  std::map<Position, Recorder::LineMemoryTotals> written_memory_;
  std::unordered_map<const MeasuredFunction*, std::uint32_t> records_;
  WritePace pace_;
  std::string engines_;
  bool has_new_engines_ = false;
};

}  // namespace pyrometer
