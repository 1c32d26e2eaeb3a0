// Counts every call of the program for the recording: a counter per thread, and what they hold
// handed to the recorder once per second.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "collect/recorder.h"
#include "exact/calibration.h"
#include "exact/call_counter.h"

namespace pyrometer {

class ExactRecording {
 public:
  struct Options {
    CCallables c_callables = CCallables::kBuiltin;
    bool subtracts_cost = false;  // our own, as measured at the start
    bool throttles = false;       // only some calls of cheap and frequent functions are counted
    std::uint32_t timeline = 0;   // how many of the latest calls of each thread are kept; 0: none
  };
  explicit ExactRecording(const Options& options) : options_(options) {}

  // Events begin to come. On failure the program runs on, and nothing is counted.
  Result<void> start();
  // No more events come, and what is open ends. With the GIL; the last write() is still to be done,
  // after which this can be destroyed.
  void stop(std::int64_t now);

  // The calling thread begins or ends; one that did neither is met at its first call.
  void begin_own_thread(const Recorder::ThreadFacts& facts);
  void end_own_thread(const std::string& name, std::int64_t now);
  // Likewise, inside calls that began before: code objects, the outermost first.
  void stand_in(const std::vector<PyObject*>& codes);
  // A thread that runs already: what it is called when it is met.
  void expect_thread(const Recorder::ThreadFacts& facts);

  // What is counted in between is left out. For the session's thread, while nobody runs Python.
  void pause();
  void resume();

  // For the session's thread: the record of a thread that was written.
  std::optional<std::uint32_t> recorded_as(int tid);

  // In a forked child, which has one thread, inside the calls that the parent's was in.
  void restart_after_fork();

  // Everything that changed since the last time; the last time also the calls one by one. For
  // the session's thread only.
  void write(Recorder& recorder, std::int64_t now, bool is_last);
  // How much was counted, and what that cost.
  void write_statistics(Recorder& recorder);

 private:
  struct Totals {
    std::uint64_t calls = 0;
    std::int64_t self = 0;  // in counts of the clock
  };
  struct KnownThread {
    KnownThread() = default;
    KnownThread(const KnownThread&) = delete;
    KnownThread& operator=(const KnownThread&) = delete;
    // A counter that its thread still has stays until the thread gets another one.
    ~KnownThread() {
      if (!has_ended) [[maybe_unused]]
        const CallCounter* left = counter.release();
    }
    std::unique_ptr<CallCounter> counter;
    std::unique_ptr<CallTimeline> timeline;
    std::uint64_t timeline_seen = 0;
    Recorder::ThreadFacts facts;
    bool is_announced = false, has_ended = false, is_folded = false;
    std::uint32_t recorded_as = 0;
    std::vector<std::uint32_t> nodes;  // by path
    std::vector<Totals> written;       // by path
    std::vector<Totals> at_pause;  // by path, while there is one; paths that came later had nothing
    std::vector<Totals> left_out;  // by path: of all pauses that are over
    std::vector<Totals> by_node;   // several paths share a node where the recording is full
  };

  struct Effort {
    std::uint64_t calls = 0;
    double cost = 0;  // in counts of the clock
  };
  Effort effort_of(const CallPaths& paths) const;

  void review_throttling(Recorder& recorder, std::int64_t now, double scale);
  void learn_functions(Recorder& recorder);
  void write_thread(KnownThread& thread, Recorder& recorder, std::int64_t now, double scale);
  void write_paths(KnownThread& thread, Recorder& recorder, std::int64_t now, double scale);
  void write_timeline(KnownThread& thread, Recorder& recorder, std::int64_t now,
                      double scale) const;
  void write_summary(const KnownThread& thread, Recorder& recorder, std::int64_t now, double scale);
  // By path: what counting added to its own time. Empty unless that is to be subtracted.
  std::vector<double> own_costs(const KnownThread& thread, std::uint32_t size) const;
  CallbackCost cost_of(const CallPath& path) const;
  bool is_ours(const CallPath& path) const;
  CallCounter* add_thread(const Recorder::ThreadFacts& facts);
  static CallCounter* meet_thread();
  static Totals seen(const CallPaths& paths, std::uint32_t index);
  // What the thread does since its last event is not in any count yet.
  static std::int64_t pending_of(const CallPaths& paths) {
    return paths.is_counting() ? std::max<std::int64_t>(0, paths.pending()) : 0;
  }
  // What counts: without pauses.
  Totals counted(const KnownThread& thread, std::uint32_t index) const;

  const Options options_;
  CallbackCosts costs_;
  CalledFunctions functions_;
  std::vector<std::uint32_t> function_records_;  // by number
  std::mutex mutex_;
  std::vector<std::unique_ptr<KnownThread>> threads_;  // under the lock
  std::map<int, Recorder::ThreadFacts> expected_;      // by tid; with the GIL
  bool is_paused_ = false;                             // of the session's thread, as the next
  std::vector<std::pair<std::int64_t, std::int64_t>> pauses_;  // on the monotonic clock
  std::set<std::uint32_t> throttled_;                          // functions
  std::int64_t next_window_ = 0;
  std::int64_t cpu_before_ = 0;  // of the process, until counting began
  // Of threads that ended.
  std::uint64_t calls_of_gone_ = 0;
  double cost_of_gone_ = 0;
};

}  // namespace pyrometer
