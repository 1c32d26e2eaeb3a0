// The program's named regions (timers/) for the recording: each one that ended, on the timeline,
// and the figures of all. Bounded: where regions end more often than a timeline can hold, the
// shortest count in the figures only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "collect/frame_context.h"
#include "collect/recorder.h"
#include "timers/region_timers.h"

namespace pyrometer {

class RegionRecording {
 public:
  // From now on regions are told of, and in which code they began where frames can be read. A
  // forked child makes a new one. With the GIL.
  RegionRecording(RegionTimers& timers, const FrameContext& frames);
  // No more of them; then again, for another recording. Threads keep their logs meanwhile, so
  // there is one of these for all recordings of a process.
  void stop();
  void restart();
  // Those that begin in between are not recorded.
  static void pause() { begin_region_log = nullptr; }
  static void resume() { begin_region_log = &begin_log; }

  // ---- for the session's thread
  using FindThread = std::function<std::optional<std::uint32_t>(int tid)>;
  // Takes over what ended since the last time; often, as logs are short.
  void drain(Recorder& recorder, const FindThread& find_thread);
  // Everything since the last time.
  void write(Recorder& recorder, std::int64_t now);

 private:
  struct LoggedThread {
    std::unique_ptr<RegionLog> log;
    std::optional<std::uint32_t> recorded_as;
    std::vector<EndedRegion> ended;
    bool has_open = false;  // as far as was written
    bool is_done = false;   // nothing more will come
  };

  static RegionLog* begin_log();
  static std::uintptr_t find_opener();
  static std::uint32_t number_opener(std::uintptr_t code);
  void tell_openers() const;
  RegionLog* add_log();
  void leave_out_shortest();
  void write_open(LoggedThread& thread, Recorder& recorder, std::int64_t now, double scale) const;
  void write_figures(Recorder& recorder, double scale);

  RegionTimers& timers_;
  const FrameContext& frames_;
  std::mutex mutex_;  // of the list
  std::vector<std::unique_ptr<LoggedThread>> threads_;
  bool is_used_ = false;  // some thread has begun a region

  // Of the session's thread.
  std::map<std::uint32_t, std::int64_t> written_counts_;  // by region
  double room_;                                           // for regions on the timeline
  std::int64_t last_write_ = 0;
  std::uint64_t left_out_ = 0, left_out_written_ = 0;
};

}  // namespace pyrometer
