#include "analyze/main_metric.h"

#include <algorithm>
#include <string>

namespace pyrometer {
namespace {

bool has_value(const Profile& profile, MetricId metric) {
  const auto& totals = profile.node_totals[metric.row()];
  const auto is_set = [](std::int64_t value) { return value != 0; };
  const auto is_of_metric = [metric](const auto& value) { return value.metric == metric; };
  return std::any_of(totals.begin(), totals.end(), is_set) ||
         std::any_of(profile.flat_values.begin(), profile.flat_values.end(), is_of_metric) ||
         std::any_of(profile.line_values.begin(), profile.line_values.end(), is_of_metric);
}

std::optional<MetricId> first_of(const Profile& profile, Unit unit) {
  for (std::size_t i = 0; i < profile.metrics.size(); ++i) {
    const MetricId metric = MetricId::from_index(i);
    if (profile.metrics[i].unit == unit && has_value(profile, metric)) return metric;
  }
  return std::nullopt;
}

}  // namespace

Result<MetricId> main_metric(const Profile& profile) {
  for (const std::string_view name : {metric::kWall, metric::kCpu}) {
    if (const auto found = profile.find_metric(name); found && has_value(profile, *found)) {
      return *found;
    }
  }
  if (const auto found = first_of(profile, Unit::kNanoseconds)) return *found;
  // Of memory, bytes say more than how often.
  for (const std::string_view name : {metric::kAllocated, metric::kIncrement}) {
    if (const auto found = profile.find_metric(name); found && has_value(profile, *found)) {
      return *found;
    }
  }
  for (const Unit unit : {Unit::kCount, Unit::kBytes}) {
    if (const auto found = first_of(profile, unit)) return *found;
  }
  if (!profile.metrics.empty()) return MetricId(0);
  const std::string source = profile.processes.empty() ? "" : profile.processes[0].source;
  return fail(ErrorCode::kCorrupt,
              "'{}' holds no measurements; the program ended or the file was cut before there were "
              "any",
              source);
}

Result<MetricId> named_metric(const Profile& profile, std::string_view name) {
  if (const auto found = profile.find_metric(name)) return *found;
  std::string names;
  for (const Metric& metric : profile.metrics) {
    names += (names.empty() ? "" : ", ") + metric.name;
  }
  return fail(ErrorCode::kUsage, "this profile has no metric '{}'; it has {}", name, names);
}

}  // namespace pyrometer
