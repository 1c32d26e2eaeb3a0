// How measured lines leave pauses out: what was measured when one began is noted, and what came
// until it ended is subtracted ever after.
#include "collect/line_recording.h"
#include "lines/line_activations.h"
#include "os/cycle_counter.h"

namespace pyrometer {

// All lines that ran, with the time of those that run now.
LineRecording::FiguresOfLines LineRecording::seen() const {
  const std::uint64_t now = CycleCounter::own().read();
  std::unordered_map<const MeasuredLine*, std::int64_t> open;
  LineActivations::visit_open([&](const MeasuredLine& line, std::uint64_t since) {
    if (since < now) open[&line] += static_cast<std::int64_t>(now - since);
  });
  FiguresOfLines all;
  measurement_.visit([&](const MeasuredFunction& function) {
    for (const MeasuredLine& line : function.lines) {
      if (line.hits.get() == 0) continue;
      const auto unfinished = open.find(&line);
      all[&line] = {.hits = line.hits.get(),
                    .time = line.time.get() + (unfinished == open.end() ? 0 : unfinished->second),
                    .self = line.self(),
                    .returns = line.returns.get()};
    }
  });
  return all;
}

void LineRecording::pause() {
  at_pause_ = seen();
  is_paused_ = true;
}

void LineRecording::resume() {
  if (!is_paused_) return;
  is_paused_ = false;
  for (const auto& [line, now] : seen()) left_out_[line] += now - at_pause_[line];
  at_pause_.clear();
}

}  // namespace pyrometer
