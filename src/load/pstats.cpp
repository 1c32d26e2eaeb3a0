#include "load/pstats.h"

#include <cmath>

#include "profile/builder.h"
#include "profile/estimated_paths.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostEstimatedNodes = 50'000;
constexpr std::size_t kPrefix = 4096;
constexpr std::uint64_t kLargestFile = 1ULL << 30;

std::int64_t nanoseconds(double seconds) {
  // Far beyond any program; keeps hostile numbers inside 64 bits even when added up.
  constexpr double kLimit = 1e8;
  return std::llround(std::clamp(seconds, -kLimit, kLimit) * 1e9);
}

struct PstatsMetrics {
  MetricId wall, calls, primitive_calls;
};

FunctionId add_function(ProfileBuilder& builder, const PstatsFunction& function) {
  const bool is_builtin = function.file == "~";
  return builder.function({.kind = is_builtin ? FunctionKind::kBuiltin : FunctionKind::kPython,
                           .name = function.name,
                           .qualified_name = function.name,
                           .file = function.file,
                           .short_file = module_relative(function.file, {}),
                           .first_line = static_cast<std::uint32_t>(std::max(0, function.line))});
}

// Whether somebody other than the recorded callers called it.
bool is_entered(const PstatsFunction& function) {
  std::int64_t explained = 0;
  for (const PstatsCaller& caller : function.callers) explained += caller.cost.calls;
  return function.cost.calls > explained;
}

void add_cost(ProfileBuilder& builder, ThreadId thread, const PstatsMetrics& metrics,
              FunctionId caller, FunctionId callee, const PstatsCost& cost) {
  builder.add_flat({thread, metrics.wall, caller, callee, nanoseconds(cost.self_seconds),
                    nanoseconds(cost.total_seconds)});
  builder.add_flat({thread, metrics.calls, caller, callee, cost.calls, cost.calls});
  builder.add_flat({thread, metrics.primitive_calls, caller, callee, cost.primitive_calls,
                    cost.primitive_calls});
}

}  // namespace

Result<std::optional<PstatsFile>> read_if_pstats(const Path& path) {
  PYROMETER_TRY(const std::string prefix, read_prefix(path, kPrefix));
  if (!looks_like_pstats(prefix)) return std::nullopt;
  PYROMETER_TRY(const std::string bytes, read_file(path, kLargestFile));
  auto file = read_pstats(bytes);
  if (!file) return fail(file.error().code, "'{}': {}", path.string(), file.error().message);
  return *std::move(file);
}

Result<Profile> load_pstats(const PstatsFile& file) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({});
  const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("main")});
  const PstatsMetrics metrics{
      builder.metric({std::string(metric::kWall), Unit::kNanoseconds}),
      builder.metric({std::string(file.sampled ? metric::kStackSamples : metric::kCalls)}),
      builder.metric({std::string(file.sampled ? metric::kSamples : metric::kPrimitiveCalls)}),
  };
  FlatCallGraph graph;
  for (const PstatsFunction& function : file.functions) {
    const FunctionId id = add_function(builder, function);
    graph.functions.push_back({id,
                               std::max<std::int64_t>(0, nanoseconds(function.cost.self_seconds)),
                               std::max<std::int64_t>(0, nanoseconds(function.cost.total_seconds)),
                               is_entered(function)});
    add_cost(builder, thread, metrics, FunctionId::none(), id, function.cost);
  }
  for (std::uint32_t callee = 0; callee < file.functions.size(); ++callee) {
    for (const PstatsCaller& caller : file.functions[callee].callers) {
      add_cost(builder, thread, metrics, graph.functions[caller.function].id,
               graph.functions[callee].id, caller.cost);
      const double weight = caller.has_times && caller.cost.total_seconds > 0
                                ? caller.cost.total_seconds
                                : 1e-9 * static_cast<double>(caller.cost.calls);
      if (weight > 0) graph.edges.push_back({caller.function, callee, weight});
    }
  }
  add_estimated_paths(builder, thread, metrics.wall, graph, kMostEstimatedNodes);
  std::int64_t total = 0;
  for (const auto& function : graph.functions) total += function.self;
  builder.profile().processes[process.row()].duration = total;
  builder.profile().is_sampled = file.sampled;
  return builder.finish();
}

Result<Profile> load_pstats_bytes(std::string_view bytes) {
  PYROMETER_TRY(const PstatsFile file, read_pstats(bytes));
  return load_pstats(file);
}

}  // namespace pyrometer
