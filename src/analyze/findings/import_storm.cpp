// All ranks that import modules at the same time, from one file system.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_words.h"

namespace pyrometer {
namespace {

constexpr double kWorthSaying = 0.10;  // of the time of all ranks
constexpr double kMuchReading = 0.10;  // of the time of importing

bool is_import(const Profile& profile, const Function& function) {
  return profile.text(function.name) == "_find_and_load" &&
         profile.text(function.file).find("importlib._bootstrap") != std::string_view::npos;
}

// Over all nodes at and below imports.
std::int64_t time_in_imports(const Profile& profile, const std::vector<bool>& is_importing,
                             std::optional<MetricId> metric) {
  std::int64_t sum = 0;
  if (!metric) return sum;
  for (std::size_t i = 0; i < is_importing.size(); ++i) {
    if (is_importing[i]) sum += profile.node_totals[metric->row()][i];
  }
  return sum;
}

std::vector<bool> find_importing_nodes(const Profile& profile) {
  std::vector<bool> is_importing(profile.nodes.size());
  for (std::size_t i = 0; i < is_importing.size(); ++i) {
    const Node& node = profile.nodes[i];
    is_importing[i] = (!node.parent.is_none() && is_importing[node.parent.row()]) ||
                      is_import(profile, profile.function_of(NodeId::from_index(i)));
  }
  return is_importing;
}

}  // namespace

std::vector<Finding> find_import_storm(const Overview& overview) {
  const Profile& profile = overview.profile;
  const auto wall = profile.find_metric(metric::kWall);
  if (!overview.ranks || overview.ranks->ranks() < 2 || !wall) return {};
  const auto ranks = static_cast<double>(overview.ranks->ranks());
  const std::vector<bool> is_importing = find_importing_nodes(profile);
  const auto time = static_cast<double>(time_in_imports(profile, is_importing, wall));
  const auto io =
      static_cast<double>(time_in_imports(profile, is_importing, profile.find_metric(metric::kIo)));
  const double share = time / (ranks * static_cast<double>(overview.ranks->list.wall));
  if (time <= 0 || io < kMuchReading * time) return {};
  if (!overview.is_surely_above(share, kWorthSaying)) return {};
  return {{Finding::Kind::kHint, "import-storm",
           fmt::format("Ranks import modules for {} in all, {} each ({:.0f} % of the job), and "
                       "wait for files {:.0f} % of it: keep Python on local disks or in a "
                       "container, or import less.",
                       time_words(time), time_words(time / ranks), 100 * share, 100 * io / time),
           share}};
}

}  // namespace pyrometer
