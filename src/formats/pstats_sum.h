// What `pstats.Stats` makes of one or more files before it prints them, in the same
// arithmetic and the same order, so that the last digit and the order of equals agree.
#pragma once

#include "formats/pstats_file.h"
#include "formats/pstats_merger.h"

namespace pyrometer {

struct PstatsSum {
  PstatsFile file;
  // Over all entries. Added file by file: not always the sum over `file` to the last digit.
  PstatsCost totals;
};

// Adds files up as Stats.add does. The first one decides whether the sum is a sampled one.
class PstatsSummer {
 public:
  void add(const PstatsFile& file);
  PstatsSum finish();

 private:
  PstatsMerger merger_;
  PstatsCost totals_;
  bool is_first_ = true;
  bool sampled_ = false;
};

// Without the folders of files, as Stats.strip_dirs: functions that become equal are summed,
// but of a function's callers that become equal the last one replaces the others.
PstatsFile strip_directories(const PstatsFile& file);

}  // namespace pyrometer
