// Where threads stand among TAU's nodes, and the facts that TAU keeps with them.
#pragma once

#include <vector>

#include "formats/tau_profile.h"
#include "profile/profile.h"

namespace pyrometer {

// By thread. The node is the rank; processes without one get numbers that are free, and several of
// one rank contexts.
std::vector<TauPlace> tau_places(const Profile& profile);

// Host, pid and what came from TAU itself, events included.
void add_tau_metadata(const Profile& profile, const Thread& thread, const TauPlace& place,
                      TauProfile& tau, TauThread& to);

}  // namespace pyrometer
