// One version of a program as `diff` compares it: what each of its runs cost, and the texts of its
// lines.
#pragma once

#include <string>
#include <vector>

#include "analyze/diff.h"
#include "base/result.h"
#include "report/run_sources.h"

namespace pyrometer {

struct DiffChoice {
  bool lines = false;       // or functions
  bool total = false;       // with callees
  std::string metric = {};  // empty: what the profiles are about
};

struct DiffVersion {
  std::vector<CostTable> runs = {};
  RunSources sources = {};

  // What one run cost; its sources are for the caller to add.
  Result<void> add_run(const Profile& profile, const DiffChoice& choice);
};

// An error when the versions tell different metrics. Rows come by place.
Result<Diff> compare_versions(DiffVersion& before, DiffVersion& after, bool normalise);

// The texts of rows that need none to be compared.
void add_missing_texts(Diff& diff, DiffVersion& after);

}  // namespace pyrometer
