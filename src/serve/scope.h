// The part of a profile that a request is about.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/view_scope.h"
#include "base/result.h"
#include "profile/profile.h"
#include "serve/request.h"

namespace pyrometer {

// Whether the request names any part at all.
bool has_scope(const Request& request);

// "0-31,40" as rows; an error beyond `count`.
Result<std::vector<bool>> parse_rows(std::string_view text, std::size_t count);

Result<ViewScope> parse_scope(const Request& request, const Profile& profile);

// By metric, then by node: what the scope's threads did in its time. A stretch of time that the
// range cuts counts by the part inside.
using NodeValues = std::vector<std::int64_t>;
Result<std::vector<NodeValues>> values_in_scope(const Profile& profile, const ViewScope& scope,
                                                std::span<const MetricId> metrics);

}  // namespace pyrometer
