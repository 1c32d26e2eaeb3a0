#include "load/lprof.h"

#include <algorithm>
#include <cmath>

#include "profile/builder.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

constexpr std::size_t kPrefix = 16;
// A line takes about ten bytes: more than the largest program has. A hostile file makes values of
// 45 times its size.
constexpr std::uint64_t kLargestFile = 32ULL << 20;

std::int64_t nanoseconds(std::int64_t time, double unit) {
  if (unit == 1e-9) return time;
  // Far beyond any program; keeps hostile numbers inside 64 bits even when added up.
  constexpr double kLimit = 1e8;
  return std::llround(std::clamp(static_cast<double>(time) * unit, -kLimit, kLimit) * 1e9);
}

// The last part of a qualified name.
std::string_view simple_name(std::string_view qualified) {
  const std::size_t dot = qualified.rfind('.');
  return dot == std::string_view::npos ? qualified : qualified.substr(dot + 1);
}

}  // namespace

Result<std::optional<LprofFile>> read_if_lprof(const Path& path) {
  PYROMETER_TRY(const std::string prefix, read_prefix(path, kPrefix));
  if (!looks_like_lprof(prefix)) return std::nullopt;
  PYROMETER_TRY(const std::string bytes, read_file(path, kLargestFile));
  auto file = read_lprof(bytes);
  if (!file) return fail(file.error().code, "'{}': {}", path.string(), file.error().message);
  return *std::move(file);
}

Profile load_lprof(const LprofFile& file) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({});
  const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("main")});
  const MetricId hits = builder.metric({std::string(metric::kHits), Unit::kCount});
  const MetricId time = builder.metric({std::string(metric::kLineTime), Unit::kNanoseconds});
  for (const LprofFunction& function : file.functions) {
    const FunctionId id =
        builder.function({.kind = FunctionKind::kPython,
                          .name = simple_name(function.name),
                          .qualified_name = function.name,
                          .file = function.file,
                          .short_file = module_relative(function.file, {}),
                          .first_line = static_cast<std::uint32_t>(function.first_line)});
    for (const LprofLine& line : function.lines) {
      const auto number = static_cast<std::uint32_t>(line.line);
      builder.add_line({thread, hits, id, number, line.hits});
      builder.add_line({thread, time, id, number, nanoseconds(line.time, file.unit)});
    }
  }
  return builder.finish();
}

Result<Profile> load_lprof_bytes(std::string_view bytes) {
  if (bytes.size() > kLargestFile) {
    return fail(ErrorCode::kTooLarge, "it has {} bytes, more than the {} that are read at most",
                bytes.size(), kLargestFile);
  }
  PYROMETER_TRY(const LprofFile file, read_lprof(bytes));
  return load_lprof(file);
}

}  // namespace pyrometer
