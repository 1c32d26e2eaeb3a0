// What looks at every process once while a job is merged, and leaves its findings in the merged
// file: analyses of ten thousand ranks must not need all of their values at once.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

class MergeAnalysis {
 public:
  MergeAnalysis() = default;
  MergeAnalysis(const MergeAnalysis&) = delete;
  MergeAnalysis& operator=(const MergeAnalysis&) = delete;
  virtual ~MergeAnalysis() = default;

  // The name of its findings in the table `analysis`.
  virtual std::string_view key() const = 0;

  // Before anything else: the job without values, which outlives the analysis.
  virtual void begin(const Profile& job) = 0;
  // The values of a process over its threads: by metric, sorted by node, without zeros. Each
  // process comes once, in any order.
  virtual void add(ProcessId process, const ThreadCells& cells) = 0;

  // Where several processes merge, each sees a part: what this one has seen, and what another
  // one of its kind has. The result must not depend on who saw what.
  virtual std::string partial() const = 0;
  virtual Result<void> absorb(std::string_view partial) = 0;

  // The findings, after all processes.
  virtual std::string finish() = 0;
};

using MergeAnalyses = std::span<MergeAnalysis* const>;

}  // namespace pyrometer
