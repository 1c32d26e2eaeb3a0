// Live memory over time of a process, made small enough for a file of ten thousand of them: the
// places that ever held most, at the moments between which all of them together went up and down.
#pragma once

#include <array>
#include <vector>

#include "profile/profile.h"
#include "store/merged_tables.h"

namespace pyrometer {

inline constexpr std::size_t kMostLiveMoments = 128;
inline constexpr std::size_t kFewerLiveMoments = 64;  // where much changes all the time
inline constexpr std::size_t kMostLiveTracks = 64;
inline constexpr std::size_t kMostLivePoints = 1024;

// By thread class: tracks in the order of their nodes, each once; their thread says nothing.
using BoundedLive = std::array<std::vector<LiveTrack>, kThreadClasses>;

// Of each process of `profile`. It depends on the process alone, and what is small enough stays as
// it is, so that merging again changes nothing.
std::vector<BoundedLive> bound_live(const Profile& profile);

}  // namespace pyrometer
