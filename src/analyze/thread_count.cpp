#include "analyze/thread_count.h"

#include <algorithm>

#include "base/short_threads.h"

namespace pyrometer {

bool stands_for_short_threads(const Profile& profile, const Thread& thread) {
  return thread.tid == 0 && !thread.name.is_none() &&
         profile.text(thread.name).starts_with(kShortThreads);
}

std::size_t count_threads(const Profile& profile) {
  return static_cast<std::size_t>(std::count_if(
      profile.threads.begin(), profile.threads.end(),
      [&](const Thread& thread) { return !stands_for_short_threads(profile, thread); }));
}

}  // namespace pyrometer
