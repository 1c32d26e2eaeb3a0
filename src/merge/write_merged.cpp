#include "merge/write_merged.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "merge/holdings.h"
#include "merge/job_plan.h"
#include "merge/panel_parts.h"
#include "store/pyro_writer.h"

namespace pyrometer {
namespace {

// Panels in their order, each made by its owner. The first member goes on receiving after an
// error, so that nobody waits for it in vain.
class PanelLoop {
 public:
  PanelLoop(Holdings& holdings, const JobPlan& plan, const WriteOptions& options, Team& team)
      : holdings_(holdings), plan_(plan), options_(options), team_(team) {}

  Result<void> run(PyroWriter* writer) {
    const std::size_t processes = plan_.tables.profile.processes.size();
    for (std::size_t first = 0; first < processes; first += kProcessesPerBlock) {
      report_progress(options_.progress, "writing", first, processes);
      const auto block = static_cast<std::uint32_t>(first / kProcessesPerBlock);
      const std::uint32_t owner = owner_of(block, team_);
      if (team_.is_first()) {
        write(block, owner, writer);
      } else if (owner == team_.member()) {
        send(block);
      }
    }
    return agree(team_, result_);
  }

 private:
  void write(std::uint32_t block, std::uint32_t owner, PyroWriter* writer) {
    if (writer == nullptr) return;
    WriterSink sink(*writer, plan_.tables);
    if (owner != 0) {
      keep(receive_panel(owner, plan_.tables, team_, sink));
    } else if (result_) {
      keep(make(block, sink));
    }
  }

  void send(std::uint32_t block) {
    MessageSink sink(plan_.tables);
    if (result_) keep(make(block, sink));
    sink.send(team_);
  }

  Result<void> make(std::uint32_t block, PanelSink& sink) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return make_panel(holdings_, plan_, block, options_.analyses,
                      options_.workers == 0 ? cores : options_.workers, sink);
  }

  void keep(const Result<void>& result) {
    if (result_) result_ = result;
  }

  Holdings& holdings_;
  const JobPlan& plan_;
  const WriteOptions& options_;
  Team& team_;
  Result<void> result_;
};

Result<void> write_analyses(MergeAnalyses analyses, Team& team, PyroWriter* writer) {
  for (MergeAnalysis* analysis : analyses) {
    Result<void> result;
    const std::vector<std::string> partials =
        gather(team, team.is_first() ? std::string() : analysis->partial());
    for (std::size_t i = 1; i < partials.size() && result; ++i) {
      result = analysis->absorb(partials[i]);
    }
    if (result && writer != nullptr) {
      result = writer->write_analysis(analysis->key(), analysis->finish());
    }
    PYROMETER_TRY_VOID(agree(team, result));
  }
  return {};
}

}  // namespace

Result<MergedCounts> write_merged(std::span<Shard> shards, const Path& output,
                                  const WriteOptions& options, Team& team) {
  PYROMETER_TRY(const JobPlan plan, agree_on_plan(shards, team));
  PYROMETER_TRY(Holdings holdings, Holdings::make(shards, plan, team));
  PYROMETER_TRY_VOID(exchange(holdings, plan, output, team));
  const Profile& job = plan.tables.profile;
  for (MergeAnalysis* analysis : options.analyses) analysis->begin(job);

  std::optional<PyroWriter> writer;
  Result<void> created;
  if (team.is_first()) {
    auto made = PyroWriter::create(output, plan.tables);
    if (made) {
      writer.emplace(*std::move(made));
    } else {
      created = tl::unexpected(made.error());
    }
  }
  PYROMETER_TRY_VOID(agree(team, created));
  PyroWriter* const file = writer ? &*writer : nullptr;
  PYROMETER_TRY_VOID(PanelLoop(holdings, plan, options, team).run(file));
  PYROMETER_TRY_VOID(write_analyses(options.analyses, team, file));
  PYROMETER_TRY_VOID(agree(team, file != nullptr ? file->finish() : Result<void>()));
  report_progress(options.progress, "writing", job.processes.size(), job.processes.size());
  return MergedCounts{job.processes.size(), job.functions.size(), job.nodes.size()};
}

Result<MergedCounts> write_merged(std::span<Shard> shards, const Path& output,
                                  const WriteOptions& options) {
  AloneTeam alone;
  return write_merged(shards, output, options, alone);
}

}  // namespace pyrometer
