// A part of a profile: some threads, a range of time, a region.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct ViewScope {
  std::vector<bool> threads = {};  // by row; empty: all of them
  // ns since the first process began
  std::int64_t from = std::numeric_limits<std::int64_t>::min();
  std::int64_t to = std::numeric_limits<std::int64_t>::max();
  std::optional<StringId> region = std::nullopt;

  bool has(ThreadId thread) const { return threads.empty() || threads[thread.row()]; }
  bool is_in_time() const {
    return from != std::numeric_limits<std::int64_t>::min() ||
           to != std::numeric_limits<std::int64_t>::max() || region.has_value();
  }
  bool is_everything() const { return threads.empty() && !is_in_time(); }
};

}  // namespace pyrometer
