// Times of processes on one scale: ns since the first of them began.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace pyrometer {

class MemoryClock {
 public:
  explicit MemoryClock(const Profile& profile);

  std::int64_t common_time(ProcessId process, std::int64_t own) const {
    return own + offset(process);
  }
  std::int64_t own_time(ProcessId process, std::int64_t common) const {
    return common - offset(process);
  }
  std::int64_t duration() const { return duration_; }

 private:
  std::int64_t offset(ProcessId process) const {
    const Process& its = profile_.processes[process.row()];
    return its.start - its.clock - begin_;
  }

  const Profile& profile_;
  std::int64_t begin_ = 0;
  std::int64_t duration_ = 0;  // to the end of the last one
};

}  // namespace pyrometer
