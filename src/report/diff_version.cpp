#include "report/diff_version.h"

#include <set>

namespace pyrometer {
namespace {

Result<void> check_metrics(const DiffVersion& before, const DiffVersion& after) {
  const std::string& first = before.runs.front().metric.name;
  for (const DiffVersion* version : {&before, &after}) {
    for (const CostTable& run : version->runs) {
      if (run.metric.name == first) continue;
      return fail(ErrorCode::kUsage,
                  "one profile tells {} and another {}; diff compares profiles of one kind, or the "
                  "metric that --metric names",
                  first, run.metric.name);
    }
  }
  return {};
}

std::set<std::string> paths_of(const DiffVersion& version) {
  std::set<std::string> paths;
  for (const CostTable& run : version.runs) {
    for (const CostRow& row : run.rows) paths.insert(row.path);
  }
  return paths;
}

// The text of a version's line, for comparison. A file that both versions name was edited in
// between, for all we know: the disk has one of the two texts at most.
auto text_reader(DiffVersion& version, const DiffVersion& other) {
  return [&version, others = paths_of(other)](const CostRow& row) {
    const bool is_known = version.sources.is_recorded(row.path) || !others.contains(row.path);
    return is_known ? version.sources.stripped_line(row.path, row.line) : std::string();
  };
}

}  // namespace

Result<void> DiffVersion::add_run(const Profile& profile, const DiffChoice& choice) {
  // Own times tell where a change is and add up to that of the whole. Exact lines have times with
  // callees, and some of them no others.
  const bool is_exact = choice.lines && choice.metric.empty() && has_exact_lines(profile);
  const CostChoice wanted{
      .lines = choice.lines, .self = !choice.total && !is_exact, .metric = choice.metric};
  PYROMETER_TRY(const CostSource source, find_cost_source(profile, wanted));
  runs.push_back(make_cost_table(profile, source));
  return {};
}

Result<Diff> compare_versions(DiffVersion& before, DiffVersion& after, bool normalise) {
  PYROMETER_TRY_VOID(check_metrics(before, after));
  return make_diff({before.runs, text_reader(before, after)},
                   {after.runs, text_reader(after, before)}, normalise);
}

void add_missing_texts(Diff& diff, DiffVersion& after) {
  for (DiffRow& row : diff.rows) {
    if (row.text.empty() && row.after) row.text = after.sources.stripped_line(row.path, row.line);
  }
}

}  // namespace pyrometer
