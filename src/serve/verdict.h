// What a profile says, in one sentence that is true for every kind of profile.
#pragma once

#include <string>

#include "report/run_summary.h"
#include "serve/viewed_profile.h"

namespace pyrometer {

// "solve takes 61 % of the time". `summary` is of the profile's overview; null where it has none.
std::string make_verdict(const ViewedProfile& viewed, const RunSummary* summary);

}  // namespace pyrometer
