// Samples in time become bins: about a thousand per process, with the few places in each that
// took most of it.
#pragma once

#include <array>
#include <vector>

#include "store/merged_tables.h"
#include "store/time_bins.h"

namespace pyrometer {

inline constexpr std::int64_t kMostBins = 1024;  // per process
inline constexpr std::size_t kPlacesPerBin = 4;

// By process, then by thread class, in the rows of `profile`. A process's bins depend on nothing
// but itself.
std::vector<std::array<TimeBins, kThreadClasses>> bin_samples(const Profile& profile);

}  // namespace pyrometer
