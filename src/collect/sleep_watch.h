// Watches one thread sleep, from outside and without a signal. Its CPU clock tells whether it
// ran while we looked: if not, the frames that were read belong together. A thread that did
// not run since the last visit is still in the same wait, so a long sleep costs one clock read
// per visit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "collect/code_table.h"
#include "collect/metrics.h"
#include "collect/mpi_recording.h"
#include "collect/recorder.h"
#include "collect/sampled_thread.h"
#include "collect/short_waits.h"
#include "collect/task_recording.h"
#include "cpython/layout.h"
#include "cpython/symbols.h"
#include "os/task_files.h"

namespace pyrometer {

class SleepWatch {
 public:
  SleepWatch(const SampledThread& thread, std::int64_t now);

  // What reading a sleeping thread needs.
  struct Tools {
    const Symbols& symbols;
    const Layout& layout;
    CodeTable& codes;
    Recorder& recorder;
    std::span<RawFrame> frames;                // room for one stack
    const std::function<void()>& drain_codes;  // gives the recorder what the table copied
    MpiRecording* mpi = nullptr;
    TaskRecording* tasks = nullptr;
  };

  // Looks once; time asleep since the last visits is added to the wait that is seen. True: the
  // thread both ran and waited since, so that the next visit should come soon.
  bool visit(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
             const Tools& tools);

  // The last visit, which looks no more: time until now goes to what was seen before.
  void end(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
           Recorder& recorder);

  // Hands what was seen so far to the recorder; a sleep shorter than `patience` may wait. `place`
  // is where the thread was seen last.
  void write(const SampledThread& thread, std::uint32_t recorded_as, std::uint32_t place,
             std::int64_t now, Recorder& recorder, std::int64_t patience = 0);
  // The same without anything that is left for later.
  void write_all(std::uint32_t recorded_as, std::uint32_t place, std::int64_t now,
                 Recorder& recorder);

  // In a forked child, which does not look again.
  void leave_to_parent() { task_.close(); }

 private:
  // The wait the thread is in now, without a node when it cannot be read; nothing: it runs.
  std::optional<SeenWait> find_wait(const SampledThread& thread, std::int64_t cpu,
                                    const Tools& tools);
  // False: it ran meanwhile, or is not as expected.
  bool find_place(const SampledThread& thread, std::int64_t cpu, std::uintptr_t stack_pointer,
                  const Tools& tools, SeenWait& wait);
  std::optional<SeenWait> find_mpi_wait(const MpiThread& mpi, std::uint32_t site,
                                        const Tools& tools);
  void find_task(std::size_t depth, std::span<const std::uint32_t> codes, std::uint64_t step,
                 const Tools& tools, SeenWait& wait);
  // Time on the CPU since the last visit; what was without one is added to off_cpu_. Nothing where
  // the clocks stand still.
  std::optional<std::int64_t> advance(const SampledThread& thread, std::int64_t cpu,
                                      std::int64_t now);
  void settle_core_waits();
  void settle_older();
  void leave_wait(std::uint32_t recorded_as, std::int64_t now, Recorder& recorder);
  void write_wait(std::uint32_t recorded_as, std::int64_t now, Recorder& recorder);

  WatchedTask task_;
  // The clocks below stand still in long MPI calls.
  MpiClocks::Missed missed_;
  std::int64_t last_visit_;
  std::int64_t last_cpu_;
  std::int64_t last_run_delay_;
  std::int64_t off_cpu_ = 0;         // time without a core, not yet accounted for
  std::int64_t off_cpu_in_mpi_ = 0;  // since core waits were settled
  // Of it: until the thread was looked at, and was ready to run. It may have waited for a core,
  // which the kernel tells only once it has one.
  std::int64_t looked_for_ = 0;
  std::int64_t runnable_ = 0;  // waited for a core
  bool is_asleep_ = false;     // since the last visit, in the wait below
  bool is_long_ = false;       // since the visit before
  SeenWait wait_;
  std::int64_t asleep_ = 0;  // in it, not yet written
  ShortWaits short_;
};

}  // namespace pyrometer
