// What happens after the program has ended: files are derived, and we say what was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/region_target.h"
#include "cli/run_output.h"
#include "cli/run_target.h"
#include "report/run_summary.h"

namespace pyrometer {

struct FinishedRun {
  RunTarget target;
  RunOutput output;
  RunEnd end;
  NameParts parts;
  std::int32_t rank = -1;                  // among several; -1: alone
  std::int32_t size = 0;                   // 0: unknown
  bool is_last_rank = false;               // found out when it ends
  int pid = 0;                             // of the program's first process
  std::string ranks = {};                  // which were to be recorded; empty: all
  std::vector<RegionTarget> regions = {};  // functions that were to be timed
  bool quiet = false;
  bool json = false;
};

// Everything goes to standard error, as standard output belongs to the program. Never fails:
// the status is the program's.
void report_run(FinishedRun run);

}  // namespace pyrometer
