// The report of a profile, as text for a terminal or as one JSON document.
#pragma once

#include <string>

#include "analyze/overview.h"
#include "analyze/selection.h"

namespace pyrometer {

struct ReportOptions {
  Selection selection;
  bool callers = false;
  bool callees = false;
  bool lines = false;
  bool tree = false;
  bool bottom_up = false;
  bool threads = false;
  bool processes = false;
  std::uint32_t depth = 12;    // levels of trees
  double least_share = 0.005;  // branches of trees below it are left out
  bool use_color = false;
};

std::string report_text(const Overview& overview, const ReportOptions& options);

// docs/report.schema.json describes it.
std::string report_json(const Overview& overview, const ReportOptions& options);

}  // namespace pyrometer
