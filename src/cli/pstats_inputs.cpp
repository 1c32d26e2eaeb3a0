#include "cli/pstats_inputs.h"

#include <chrono>
#include <ctime>

#include "analyze/main_metric.h"
#include "export/pstats.h"
#include "load/load.h"
#include "load/pstats.h"

namespace pyrometer {
namespace {

// "Sun Nov 15 15:29:51 2026    out.prof"
std::string source_line(const Path& path) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (error) return path.string();
  const auto since_1970 = std::chrono::file_clock::to_sys(written).time_since_epoch();
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(since_1970).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
  return std::string(text, size) + "    " + path.string();
}

Result<PstatsFile> load_one(const Path& path, std::string_view metric_name,
                            const Progress& progress, PstatsInputs& inputs) {
  const bool is_wall = metric_name.empty() || metric_name == metric::kWall;
  std::error_code ignored;
  if (is_wall && !std::filesystem::is_directory(path, ignored)) {
    PYROMETER_TRY(std::optional<PstatsFile> file, read_if_pstats(path));
    if (file) {
      ++inputs.processes;
      return *std::move(file);
    }
  }
  PYROMETER_TRY(const Profile profile,
                load_profile(std::span(&path, 1), {Detail::kSummary, progress}));
  PYROMETER_TRY(const MetricId metric,
                metric_name.empty() ? main_metric(profile) : named_metric(profile, metric_name));
  inputs.processes += profile.processes.size();
  inputs.notes.insert(inputs.notes.end(), profile.notes.begin(), profile.notes.end());
  auto file = make_pstats(make_overview(profile, metric));
  if (file) return file;
  return fail(file.error().code, "'{}': {}", path.string(), file.error().message);
}

}  // namespace

Result<PstatsInputs> load_as_pstats(std::span<const Path> paths, std::string_view metric,
                                    const Progress& progress) {
  PstatsInputs inputs;
  PstatsSummer summer;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    report_progress(progress, "reading", i, paths.size());
    const Path& path = paths[i == 0 ? 0 : paths.size() - i];
    PYROMETER_TRY(const PstatsFile file, load_one(path, metric, progress, inputs));
    if (file.functions.empty()) {
      return fail(ErrorCode::kCorrupt,
                  "'{}' holds no functions, of which pstats makes nothing; leave it out, and if it "
                  "holds lines, 'pyrometer lines' shows them",
                  path.string());
    }
    summer.add(file);
    inputs.sources.push_back(source_line(path));
  }
  inputs.sum = summer.finish();
  return inputs;
}

}  // namespace pyrometer
