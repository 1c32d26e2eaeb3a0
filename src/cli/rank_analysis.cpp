#include "cli/rank_analysis.h"

#include <algorithm>
#include <array>

#include "store/pyro_reader.h"

namespace pyrometer {
namespace {

constexpr std::string_view kKey = "ranks";

}  // namespace

std::string_view RankAnalysis::key() const { return kKey; }

void RankAnalysis::add(ProcessId process, const ThreadCells& cells) {
  const std::array threads{&cells};
  collector_->add(process, threads);
}

Result<std::shared_ptr<const RankFacts>> kept_rank_facts(const Profile& profile, const Path& path) {
  const auto has_rank = [](const Process& process) { return process.rank >= 0; };
  const auto& processes = profile.processes;
  if (std::none_of(processes.begin(), processes.end(), has_rank)) return nullptr;
  PYROMETER_TRY(const PyroReader reader, PyroReader::open(path));
  PYROMETER_TRY(const std::optional<std::string> kept, reader.read_analysis(kKey));
  if (!kept) return nullptr;  // of an older version
  PYROMETER_TRY(RankFacts facts, read_rank_facts(profile, *kept));
  return std::make_shared<const RankFacts>(std::move(facts));
}

Result<void> find_rank_facts(Overview& overview, std::span<const Path> paths) {
  add_rank_facts(overview);
  if (overview.ranks || paths.size() != 1 || !is_pyro_file(paths[0])) return {};
  PYROMETER_TRY(overview.ranks, kept_rank_facts(overview.profile, paths[0]));
  return {};
}

}  // namespace pyrometer
