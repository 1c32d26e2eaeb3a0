#include "analyze/memory/memory_clock.h"

#include <algorithm>

namespace pyrometer {

MemoryClock::MemoryClock(const Profile& profile) : profile_(profile) {
  if (profile.processes.empty()) return;
  begin_ = profile.processes[0].start;
  for (const Process& process : profile.processes) begin_ = std::min(begin_, process.start);
  for (const Process& process : profile.processes) {
    duration_ = std::max(duration_, process.start - begin_ + process.duration);
  }
}

}  // namespace pyrometer
