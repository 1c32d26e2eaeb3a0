#include "analyze/scaling.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analyze/file_match.h"
#include "analyze/scaling_figures.h"

namespace pyrometer {
namespace {

using Place = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>;

std::set<std::string> files_of(const ScalingRun& run) {
  std::set<std::string> files;
  for (const CostTable& rank : run.ranks) {
    for (const CostRow& row : rank.rows) files.insert(row.file);
  }
  return files;
}

// Adds what one rank has to the point of its run.
void add_rank(std::optional<ScalingPoint>& point, RankTime time, double value, double hits,
              std::size_t ranks) {
  if (!point) point.emplace();
  if (time == RankTime::kSum) {
    point->time += value;
    point->wall += value / static_cast<double>(ranks);
    point->hits += hits;
  } else {
    point->time = std::max(point->time, value);
    point->wall = point->time;
    point->hits = std::max(point->hits, hits);
  }
}

class RowCollector {
 public:
  RowCollector(std::size_t runs, RankTime time) : runs_(runs), time_(time) { total_.resize(runs); }

  // Files are called as the first run calls them.
  void add(const ScalingRun& run, std::size_t index) {
    const std::set<std::string> files = files_of(run);
    if (index == 0) first_files_ = files;
    const auto names = match_files(files, first_files_);
    for (const CostTable& rank : run.ranks) {
      add_rank(total_[index], time_, static_cast<double>(rank.total), 0, run.ranks.size());
      for (const CostRow& row : rank.rows) {
        const auto moved = names.find(row.file);
        const std::string& file = moved == names.end() ? row.file : moved->second;
        ScalingRow& to = rows_[{file, row.name, row.first_line, row.line}];
        if (to.points.empty()) {
          to.place = row;
          to.place.file = file;
          to.points.resize(runs_);
        }
        add_rank(to.points[index], time_, static_cast<double>(row.value),
                 static_cast<double>(row.hits), run.ranks.size());
      }
    }
  }

  bool has_common_row() const {
    const auto is_common = [](const auto& entry) {
      return std::count_if(entry.second.points.begin(), entry.second.points.end(),
                           [](const auto& point) { return point.has_value(); }) > 1;
    };
    return std::any_of(rows_.begin(), rows_.end(), is_common);
  }

  void finish(Scaling& scaling) {
    scaling.total.points = std::move(total_);
    for (auto& [place, row] : rows_) scaling.rows.push_back(std::move(row));
  }

 private:
  std::size_t runs_;
  RankTime time_;
  std::set<std::string> first_files_;
  std::vector<std::optional<ScalingPoint>> total_;
  std::map<Place, ScalingRow> rows_;
};

void add_figures(const Scaling& scaling, ScalingRow& row) {
  std::vector<ScalingSample> samples;
  const std::optional<ScalingPoint> reference = row.points[scaling.reference];
  for (std::size_t run = 0; run < row.points.size(); ++run) {
    std::optional<ScalingPoint>& point = row.points[run];
    if (!point) continue;
    samples.push_back({static_cast<double>(scaling.counts[run]), point->wall});
    if (!reference || reference->wall <= 0 || point->wall <= 0) continue;
    const ScalingStep step{scaling.ratio(run), scaling.is_weak};
    point->speedup = speedup_of(reference->wall, point->wall, step);
    point->efficiency = efficiency_of(reference->wall, point->wall, step);
    if (run != scaling.reference) {
      point->serial = serial_fraction_of(reference->wall, point->wall, step);
    }
    const double whole = scaling.total.points[run]->wall;
    if (whole > 0) point->loss = scaling_loss_of(reference->wall, point->wall, whole, step);
  }
  row.fit = fit_scaling(samples);
}

Result<void> check_runs(const std::vector<ScalingRun>& runs) {
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].count != runs[i - 1].count) continue;
    return fail(ErrorCode::kUsage,
                "'{}' and '{}' are both of {} processes; give each count once, with the files of "
                "all its ranks in one word: 4='four/*.lprof'",
                runs[i - 1].name, runs[i].name, runs[i].count);
  }
  if (runs.size() < 2) {
    return fail(ErrorCode::kUsage,
                "scaling needs runs with two or more counts of processes, as in 2=A 4=B");
  }
  for (const ScalingRun& run : runs) {
    const std::string& metric = run.ranks.front().metric.name;
    const std::string& first = runs.front().ranks.front().metric.name;
    if (metric == first) continue;
    return fail(ErrorCode::kUsage,
                "'{}' tells {} and '{}' tells {}; scaling compares profiles of one kind",
                runs.front().name, first, run.name, metric);
  }
  return {};
}

Result<std::size_t> find_reference(const std::vector<std::int64_t>& counts,
                                   const std::optional<std::int64_t>& wanted) {
  if (!wanted) return 0;
  const auto found = std::find(counts.begin(), counts.end(), *wanted);
  if (found == counts.end()) {
    return fail(ErrorCode::kUsage, "no run has {} processes, the reference; there are {}", *wanted,
                fmt::join(counts, ", "));
  }
  return static_cast<std::size_t>(found - counts.begin());
}

}  // namespace

Result<Scaling> make_scaling(std::vector<ScalingRun> runs, const ScalingOptions& options) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const ScalingRun& a, const ScalingRun& b) { return a.count < b.count; });
  PYROMETER_TRY_VOID(check_runs(runs));
  Scaling scaling{.metric = runs.front().ranks.front().metric,
                  .is_weak = options.is_weak,
                  .time = options.time};
  RowCollector collector(runs.size(), options.time);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    scaling.counts.push_back(runs[i].count);
    collector.add(runs[i], i);
    for (const CostTable& rank : runs[i].ranks) scaling.is_sampled |= rank.is_sampled;
  }
  PYROMETER_TRY(scaling.reference, find_reference(scaling.counts, options.reference));
  if (!collector.has_common_row()) {
    return fail(ErrorCode::kNotFound,
                "nothing that was measured is in more than one of the runs; are they of the same "
                "program?");
  }
  collector.finish(scaling);
  scaling.is_of_lines = std::any_of(scaling.rows.begin(), scaling.rows.end(),
                                    [](const ScalingRow& row) { return row.place.line != 0; });
  add_figures(scaling, scaling.total);
  for (ScalingRow& row : scaling.rows) add_figures(scaling, row);
  return scaling;
}

}  // namespace pyrometer
