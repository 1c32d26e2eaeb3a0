// The values of processes that a member of the team has put aside, by process of the plan: those
// it has read itself and those that others handed over.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "merge/job_plan.h"
#include "merge/panel.h"
#include "merge/shard.h"

namespace pyrometer {

struct HeldProcess {
  Spool* spool = nullptr;  // none: another member holds it
  ProcessPieces pieces;
  const RowMaps* rows = nullptr;  // from the rows of the pieces to those of the plan
};

class Holdings {
 public:
  // All of them must outlive the holdings.
  static Result<Holdings> make(std::span<Shard> shards, const JobPlan& plan, const Team& team);

  HeldProcess& operator[](std::size_t process) { return processes_[process]; }

  // Takes what is held of a process away, as a message in the rows of the plan; and the mirror.
  Result<std::string> hand_over(std::size_t process);
  Result<void> take_over(std::string_view message, const Path& output);

 private:
  Holdings() = default;

  const JobPlan* plan_ = nullptr;
  std::deque<RowMaps> rows_;  // by shard; the last ones stand for themselves
  std::vector<HeldProcess> processes_;
  std::unique_ptr<Spool> received_;
};

// Which member writes a panel of processes.
inline std::uint32_t owner_of(std::size_t process_block, const Team& team) {
  return static_cast<std::uint32_t>(process_block % team.size());
}

// Every process goes to the owner of its panel. All members call this.
Result<void> exchange(Holdings& holdings, const JobPlan& plan, const Path& output, Team& team);

}  // namespace pyrometer
