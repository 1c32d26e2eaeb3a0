// Weighted positions, one after the other, as calls that begin and end: what neighbours have in
// common from the root down is one call.
#pragma once

#include <vector>

#include "base/result.h"
#include "export/thread_samples.h"

namespace pyrometer {

// In the order of their beginnings; their own durations add up to the weights. An error beyond
// eight million calls.
Result<std::vector<CallTrack::Call>> join_stacks(const Profile& profile,
                                                 const ThreadSamples& samples);

}  // namespace pyrometer
