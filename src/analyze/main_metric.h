// Which metric a report is about when the user does not say.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

// The first of wall, cpu, any time, allocated bytes, samples, anything that has a value.
Result<MetricId> main_metric(const Profile& profile);

// By name; the error lists the names there are.
Result<MetricId> named_metric(const Profile& profile, std::string_view name);

}  // namespace pyrometer
