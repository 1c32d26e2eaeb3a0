// Watches one thread sleep, from outside and without a signal. Its CPU clock tells whether it
// ran while we looked: if not, the frames that were read belong together. A thread that did
// not run since the last visit is still in the same wait, so a long sleep costs one clock read
// per visit.
#pragma once

#include <cstdint>
#include <span>

#include "collect/code_table.h"
#include "collect/metrics.h"
#include "collect/recorder.h"
#include "collect/sampled_thread.h"
#include "cpython/layout.h"
#include "cpython/symbols.h"

namespace pyrometer {

inline constexpr const char* kDeeperFrames = "(deeper frames)";

class SleepWatch {
 public:
  SleepWatch(const SampledThread& thread, std::int64_t now);

  // What reading a sleeping thread needs.
  struct Tools {
    const Symbols& symbols;
    const Layout& layout;
    CodeTable& codes;
    Recorder& recorder;
    std::span<RawFrame> frames;  // room for one stack
  };

  // Looks once; time asleep since the last visits is added to the wait that is seen. True: the
  // thread both ran and waited since, so that the next visit should come soon.
  bool visit(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
             const Tools& tools);

  // Hands what was seen so far to the recorder; a sleep shorter than `patience` may wait.
  void write(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
             Recorder& recorder, std::int64_t patience = 0);

 private:
  // The wait the thread is in now, as a node of the recording; false: it runs, or cannot be read.
  bool find_wait(const SampledThread& thread, std::int64_t cpu, const Tools& tools);
  void settle_core_waits(const SampledThread& thread);
  void write_wait(std::uint32_t recorded_as, std::int64_t now, Recorder& recorder);

  std::int64_t last_visit_;
  std::int64_t last_cpu_;
  std::int64_t last_run_delay_;
  std::int64_t off_cpu_ = 0;     // time without a core, not yet accounted for
  std::int64_t looked_for_ = 0;  // of it: when the thread was looked at, and ran again
  std::int64_t runnable_ = 0;    // of it: ready to run
  bool is_asleep_ = false;       // since the last visit, in the wait below
  std::uint32_t node_ = Recorder::kNoNode;
  TimeKind kind_ = TimeKind::kIdle;
  std::int64_t asleep_ = 0;  // in the wait below, not yet written
};

}  // namespace pyrometer
