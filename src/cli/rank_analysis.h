// The analysis of ranks in merged files: found while merging, where all values pass by, and read
// by the commands that speak of ranks.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "analyze/overview.h"
#include "analyze/ranks/rank_collector.h"
#include "base/file.h"
#include "merge/analysis.h"

namespace pyrometer {

class RankAnalysis : public MergeAnalysis {
 public:
  std::string_view key() const override;
  void begin(const Profile& job) override { collector_.emplace(job); }
  void add(ProcessId process, const ThreadCells& cells) override;
  std::string partial() const override { return collector_->partial(); }
  Result<void> absorb(std::string_view partial) override { return collector_->absorb(partial); }
  std::string finish() override { return write_rank_facts(collector_->finish()); }

 private:
  std::optional<RankCollector> collector_;
};

// What a merged file keeps about its ranks; null where that is nothing. `profile` is of that file.
Result<std::shared_ptr<const RankFacts>> kept_rank_facts(const Profile& profile, const Path& path);

// Fills in `overview.ranks` where there are ranks and either the values of threads were loaded or
// the one file of `paths` is a merged one that keeps the facts. Fails where those are damaged.
Result<void> find_rank_facts(Overview& overview, std::span<const Path> paths);

}  // namespace pyrometer
