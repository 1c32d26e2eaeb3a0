// The value of a position together with everything it calls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// By node, from self values by node.
std::vector<std::int64_t> inclusive_values(const Profile& profile,
                                           std::span<const std::int64_t> self, Combine combine);

}  // namespace pyrometer
