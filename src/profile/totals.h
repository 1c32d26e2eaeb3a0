// The sums that every view starts from.
#pragma once

#include "profile/profile.h"

namespace pyrometer {

// Fills node_totals and process_totals from thread_cells.
void compute_totals(Profile& profile);

// A metric over everything that was measured.
std::int64_t grand_total(const Profile& profile, MetricId metric);

}  // namespace pyrometer
