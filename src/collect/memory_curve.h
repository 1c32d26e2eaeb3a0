// The memory of the process over time: what is resident, and the heap. Looked at often, kept as the
// most of each interval; intervals grow with the time that passed, so that there are never many.
#pragma once

#include <cstdint>
#include <vector>

#include "collect/recorder.h"
#include "os/process_memory.h"

namespace pyrometer {

class MemoryCurve {
 public:
  // For the session's thread. Whether there is much more or less than the last time.
  bool look(std::int64_t now, std::int64_t heap);
  void write(Recorder& recorder, bool is_last);
  // In a forked child that has one of its own.
  void leave_to_parent() { resident_.close(); }

 private:
  void close_interval(std::int64_t now);

  ResidentMemory resident_;
  std::int64_t started_ = 0, interval_end_ = 0;
  Recorder::MemoryPoint last_;
  Recorder::MemoryPoint largest_;  // of the interval
  std::vector<Recorder::MemoryPoint> points_;
};

}  // namespace pyrometer
