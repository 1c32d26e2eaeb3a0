#include "cli/rank_parts.h"

#include <map>

#include "cli/graph_names.h"
#include "profile/part.h"
#include "record/run_name.h"

namespace pyrometer {

bool names_rank(std::string_view pattern) { return names_part(pattern, 'r'); }

void expect_only(Profile& profile, std::int64_t rank) {
  for (Process& process : profile.processes) {
    process.attributes.emplace_back("ranks", std::to_string(rank));
  }
}

Result<void> for_each_rank(
    std::span<const Path> paths, const std::string& pattern, const LoadOptions& options,
    const std::function<Result<void>(const Profile& part, const std::string& name)>& use) {
  PYROMETER_TRY(const Profile profile, load_profile(paths, options));
  std::map<std::int64_t, std::vector<bool>> ranks;  // by rank: which processes are its own
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const std::int64_t rank = profile.processes[i].rank;
    if (rank < 0) continue;
    ranks[rank].resize(profile.processes.size());
    ranks[rank][i] = true;
  }
  if (ranks.empty()) {
    return fail(ErrorCode::kUsage,
                "'{}' is a file per rank, and these profiles have no ranks; leave out %r", pattern);
  }
  std::vector<GraphNameParts> parts;
  for (const auto& [rank, processes] : ranks) {
    parts.push_back({.rank = rank, .stem = fmt::format("rank{}", rank)});
  }
  PYROMETER_TRY(const std::vector<std::string> names, make_graph_names(pattern, parts));
  auto name = names.begin();
  for (const auto& [rank, processes] : ranks) {
    Profile part = part_of_profile(profile, processes);
    expect_only(part, rank);
    PYROMETER_TRY_VOID(use(part, *name++));
  }
  return {};
}

}  // namespace pyrometer
