// Waits of one thread that were over before it was looked at. How long they took in all is known
// from the clocks; where they were is told by those of their like that were met meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collect/metrics.h"
#include "collect/recorder.h"
#include "collect/task_recording.h"

namespace pyrometer {

struct SeenWait {
  std::uint32_t node = Recorder::kNoNode;  // of the recording; kNoNode: the stack was not readable
  TimeKind kind = TimeKind::kIdle;
  std::string label;                // "(clock_nanosleep)"
  TaskRecording* tasks = nullptr;   // where the wait is inside a task of asyncio,
  TaskRecording::Moment task = {};  // this one

  friend bool is_same_place(const SeenWait& a, const SeenWait& b) {
    return a.node == b.node && a.kind == b.kind && a.label == b.label;
  }
};

class ShortWaits {
 public:
  explicit ShortWaits(std::int64_t now) : written_(now) {}

  // One of them was met. Looks come at random, so each is met as often as it takes of the time.
  void saw(const SeenWait& wait, std::int64_t now);

  void add(std::int64_t time) { time_ += time; }
  // What turns out to be no wait; it is not more than time().
  void take_back(std::int64_t time) { time_ -= time; }
  std::int64_t time() const { return time_; }

  // Enough to be written, and old enough that some of them should have been met.
  bool are_due(std::int64_t now) const;

  // Hands all of it to the recorder. `place` is where the thread was seen last: there are those
  // that nobody met.
  void write(std::uint32_t thread, std::uint32_t place, std::int64_t now, Recorder& recorder);

 private:
  struct Met {
    SeenWait wait;
    std::int64_t time = 0, count = 0;
  };

  std::int64_t time_ = 0;
  std::int64_t written_;         // when
  std::vector<Met> met_;         // since these were written
  std::vector<Met> met_before_;  // when nobody met any: until then, since the time before
};

}  // namespace pyrometer
