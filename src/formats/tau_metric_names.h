// How TAU calls what we measure, and the other way round. ParaProf takes a metric for a time when
// its name says so.
#pragma once

#include <string>
#include <string_view>

#include "base/kinds.h"

namespace pyrometer {

struct TauMetricName {
  std::string name;  // "wall", "cpu", "gil-wait"; as TAU has it where we have no word
  Unit unit = Unit::kCount;
};

TauMetricName read_tau_metric_name(std::string_view tau);

// "TIME", "GIL_WAIT_TIME", "PAPI_TOT_CYC"
std::string write_tau_metric_name(std::string_view name, Unit unit);

}  // namespace pyrometer
