// The efficiencies of the POP project, from useful time: which part of the job's cores worked,
// and whether load or communication kept the others from it.
#pragma once

#include <string>

#include "analyze/ranks/rank_list.h"

namespace pyrometer {

struct Efficiency {
  std::string withheld;      // why there are none; empty: there are
  double load_balance = 0;   // the mean of useful times over the largest
  double communication = 0;  // the largest useful time over the job's
  double parallel = 0;       // their product
};

Efficiency find_efficiency(const RankList& list);

}  // namespace pyrometer
