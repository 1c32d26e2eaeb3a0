#include "export/pstats.h"

#include <algorithm>

#include "export/exporter.h"

namespace pyrometer {
namespace {

PstatsCost cost_of(const CallCost& cost, bool is_time) {
  // A sampled profile has samples in place of calls, as Python's own sampler writes them.
  const bool has_calls = cost.calls != 0 || cost.stack_samples == 0;
  return {.calls = has_calls ? cost.calls : cost.stack_samples,
          .primitive_calls = has_calls ? cost.primitive_calls : cost.samples,
          .self_seconds = is_time ? static_cast<double>(cost.self) / 1e9 : 0,
          .total_seconds = is_time ? static_cast<double>(cost.total) / 1e9 : 0};
}

// A program that was over before the first tick has a row that says so, and no time.
bool has_code(const Overview& overview) {
  const auto& costs = overview.graph.functions;
  return std::any_of(costs.begin(), costs.end(), [&](const FunctionCost& cost) {
    return overview.profile.functions[cost.function.row()].kind != FunctionKind::kLabel;
  });
}

}  // namespace

Result<PstatsFile> make_pstats(const Overview& overview) {
  const Profile& profile = overview.profile;
  const Metric& metric = profile.metrics[overview.metric.row()];
  const bool is_time = metric.unit == Unit::kNanoseconds;
  if (!is_time && has_code(overview)) {
    const bool has_time =
        std::any_of(profile.metrics.begin(), profile.metrics.end(),
                    [](const Metric& each) { return each.unit == Unit::kNanoseconds; });
    return fail(ErrorCode::kUsage, "pstats files hold times, not {}; {}", metric.name,
                has_time ? "choose a time with --metric"
                         : "as this profile has none, choose another format");
  }
  const auto& costs = overview.graph.functions;
  PstatsFile file;
  file.sampled =
      profile.is_sampled && std::none_of(costs.begin(), costs.end(),
                                         [](const FunctionCost& cost) { return cost.calls != 0; });
  std::vector<std::uint32_t> index(profile.functions.size());
  for (const FunctionCost& cost : costs) {
    const Function& function = profile.functions[cost.function.row()];
    index[cost.function.row()] = static_cast<std::uint32_t>(file.functions.size());
    // Built-in functions live in the file "~" of pstats; other code without a file likewise.
    std::string_view path = profile.text(function.file);
    if (path.empty()) path = "~";
    file.functions.push_back({.file = std::string(path),
                              .line = static_cast<std::int32_t>(function.first_line),
                              .name = std::string(profile.text(function.name)),
                              .cost = cost_of(cost, is_time)});
  }
  for (const CallEdge& edge : overview.graph.edges) {
    file.functions[index[edge.callee.row()]].callers.push_back(
        {.function = index[edge.caller.row()], .cost = cost_of(edge, is_time)});
  }
  return file;
}

Result<std::string> export_pstats(const Overview& overview) {
  PYROMETER_TRY(PstatsFile file, make_pstats(overview));
  file.sampled = false;  // pstats before 3.15 cannot load a file with the mark
  return write_pstats(file);
}

}  // namespace pyrometer
