// The thread that stands for a class of a process in a merged file.
#pragma once

#include <algorithm>
#include <utility>

#include "profile/profile.h"

namespace pyrometer {

// It must be there; threads are in the order of process and class.
inline ThreadId thread_of_class(const Profile& profile, ProcessId process,
                                ThreadClass thread_class) {
  const auto& threads = profile.threads;
  const auto found =
      std::lower_bound(threads.begin(), threads.end(), std::pair(process, thread_class),
                       [](const Thread& thread, const auto& wanted) {
                         return std::pair(thread.process, thread.thread_class) < wanted;
                       });
  return ThreadId::from_index(static_cast<std::size_t>(found - threads.begin()));
}

}  // namespace pyrometer
