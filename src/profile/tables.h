// Copies of a profile for other values in the same tables.
#pragma once

#include "profile/profile.h"

namespace pyrometer {

// What values refer to: names, metrics, functions, processes, threads. Positions (nodes) and all
// values are for the caller to fill in.
Profile tables_of(const Profile& profile);

// Also what is known without positions: values of functions and lines, totals of processes,
// regions, counters, messages, sources.
Profile all_but_positions(const Profile& profile);

}  // namespace pyrometer
