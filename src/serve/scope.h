// The part of a profile that a request is about: some threads, a range of time, a region.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "serve/request.h"

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

// Whether the request names any part at all.
bool has_scope(const Request& request);

// "0-31,40" as rows; an error beyond `count`.
Result<std::vector<bool>> parse_rows(std::string_view text, std::size_t count);

Result<ViewScope> parse_scope(const Request& request, const Profile& profile);

// An error where the profile does not know what happened when.
Result<void> check_has_time(const Profile& profile);

// By metric, then by node: what the scope's threads did in its time. A stretch of time that the
// range cuts counts by the part inside.
using NodeValues = std::vector<std::int64_t>;
Result<std::vector<NodeValues>> values_in_scope(const Profile& profile, const ViewScope& scope,
                                                std::span<const MetricId> metrics);

}  // namespace pyrometer
