// A profile with another call tree: positions kept, folded into their callers or left out. What
// every transformation of paths (focus, filter, fold) is made of.
#pragma once

#include <cstdint>
#include <span>

#include "profile/profile.h"

namespace pyrometer {

enum class NodeFate : std::uint8_t {
  kKeep,
  kFold,  // what it cost and what it called become its caller's; the calls of it are forgotten
  kPath,  // stays as the way to what is below, without its own values
  kDrop,  // goes, with everything below it
};

// `fates` by node. Folded positions that no kept one called leave their values to a label
// "[left out]", so folding never changes a total. Function totals and lines that have no paths
// (flat and line values) are copied as they are.
Profile transform_nodes(const Profile& profile, std::span<const NodeFate> fates);

// Whether the metric counts how often a function was called, which is not for its caller to have.
bool is_count_of_calls(const Metric& metric);

}  // namespace pyrometer
