#include "analyze/main_metric.h"
#include "analyze/transform_region.h"
#include "cli/command_line.h"
#include "cli/lines_inputs.h"
#include "cli/rank_parts.h"
#include "cli/terminal.h"
#include "cli/with_regions.h"
#include "export/exporter.h"
#include "load/load.h"

namespace pyrometer {
namespace {

struct ExportArguments {
  std::vector<std::string> profiles;
  std::string format;
  std::string output;
  std::string metric;
  bool with_regions = false;
  std::string region;
  bool json = false;
};

bool goes_to_stdout(const ExportArguments& arguments) {
  return arguments.output.empty() || arguments.output == kStandardStream;
}

Result<void> write_output(const ExportArguments& arguments, std::string_view bytes) {
  return goes_to_stdout(arguments) ? write_to_stdout(bytes) : write_file(arguments.output, bytes);
}

// Files of an earlier export with the same names are replaced, others stay.
Result<void> write_folder(const ExportArguments& arguments,
                          const std::vector<ExportedFile>& files) {
  const Path folder(arguments.output);
  for (const ExportedFile& file : files) {
    const Path path = folder / file.name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) {
      return fail(ErrorCode::kIo, "cannot make the folder '{}': {}", path.parent_path().string(),
                  error.message());
    }
    PYROMETER_TRY_VOID(write_file(path, file.content));
  }
  return {};
}

Result<MetricId> chosen_metric(const ExportArguments& arguments, const Profile& profile) {
  return arguments.metric.empty() ? main_metric(profile) : named_metric(profile, arguments.metric);
}

// What `write` makes of the part of the profile that is exported.
template <class Write>
auto export_part(const ExportArguments& arguments, const Profile& profile, Write&& write)
    -> decltype(write(make_overview(profile, std::declval<MetricId>()))) {
  if (arguments.region.empty()) {
    PYROMETER_TRY(const MetricId metric, chosen_metric(arguments, profile));
    return write(make_overview(profile, metric));
  }
  PYROMETER_TRY(const StringId region, find_region(profile, arguments.region));
  PYROMETER_TRY(const Profile part, keep_region(profile, region));
  PYROMETER_TRY(const MetricId metric, chosen_metric(arguments, part));
  return write(make_overview(part, metric));
}

Result<void> export_per_rank(const ExportArguments& arguments, const Exporter& exporter,
                             std::span<const Path> paths, const LoadOptions& options) {
  if (exporter.write_folder != nullptr) {
    return fail(ErrorCode::kUsage, "{} profiles have files per rank anyway; leave out %r",
                exporter.name);
  }
  const auto write = [&](const Overview& overview) { return write_export(exporter, overview); };
  return for_each_rank(paths, arguments.output, options,
                       [&](const Profile& part, const std::string& name) -> Result<void> {
                         PYROMETER_TRY(const std::optional<Profile> with,
                                       part_with_regions(part, arguments.with_regions));
                         PYROMETER_TRY(const std::string bytes,
                                       export_part(arguments, with ? *with : part, write));
                         return write_file(name, bytes);
                       });
}

Result<void> run_export(const ExportArguments& arguments) {
  const std::string format = arguments.json && arguments.format.empty() ? "json" : arguments.format;
  PYROMETER_TRY(const Exporter* exporter, find_exporter(format, arguments.output));
  if (exporter->name == "tau" && arguments.output.ends_with(".ppk")) {
    PYROMETER_TRY(exporter, find_exporter("ppk", ""));
  }
  if (exporter->write_folder != nullptr && goes_to_stdout(arguments)) {
    return fail(ErrorCode::kUsage, "{} profiles are a folder of files; name it with -o",
                exporter->name);
  }
  if (goes_to_stdout(arguments) && exporter->is_binary && stdout_is_terminal()) {
    return fail(ErrorCode::kUsage, "a {} file is not text; name a file with -o", exporter->name);
  }
  if (arguments.with_regions && exporter->content != ExportOf::kFunctions &&
      exporter->content != ExportOf::kAll) {
    return fail(ErrorCode::kUsage,
                "--with-regions puts regions into call paths, which a {} file does not have",
                exporter->name);
  }
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  const bool needs_time = exporter->needs_events || !arguments.region.empty();
  const Detail detail = detail_with_regions(arguments.with_regions,
                                            needs_time ? Detail::kEverything : Detail::kValues);
  if (names_rank(arguments.output)) {
    return export_per_rank(arguments, *exporter, paths, {detail, progress.listener()});
  }
  if (exporter->name == "lprof") {
    if (!arguments.region.empty()) {
      return fail(ErrorCode::kUsage,
                  "lines are measured over the whole run; leave out --region for a lprof file");
    }
    PYROMETER_TRY(const LprofInputs inputs, load_as_lprof(paths, progress.listener()));
    return write_output(arguments, write_lprof(inputs.sum));
  }
  PYROMETER_TRY(const Profile profile,
                load_paths(paths, arguments.with_regions, {detail, progress.listener()}));
  if (exporter->write_folder != nullptr) {
    const auto write = [&](const Overview& overview) {
      return write_export_folder(*exporter, overview);
    };
    PYROMETER_TRY(const auto files, export_part(arguments, profile, write));
    return write_folder(arguments, files);
  }
  const auto write = [&](const Overview& overview) { return write_export(*exporter, overview); };
  PYROMETER_TRY(const std::string bytes, export_part(arguments, profile, write));
  return write_output(arguments, bytes);
}

}  // namespace

void add_export_command(CommandLine& line) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App& command =
      *line.app.add_subcommand("export", "Write a profile as a file for other tools");
  add_profiles(command, arguments->profiles);
  std::string formats = "Format:";
  for (const Exporter& exporter : exporters()) {
    formats += fmt::format("\n{} ({})", exporter.name, exporter.description);
  }
  CLI::Option* format =
      command
          .add_option("-F,--format", arguments->format, formats + "\ndefault: by the output's name")
          ->type_name("FORMAT");
  for (const Exporter& exporter : exporters()) line.choices[format].emplace_back(exporter.name);
  command
      .add_option(
          "-o,--output", arguments->output,
          "File to write, a folder for tau (default: standard output); with %r in its name a "
          "file per rank: cpu_%r.prof")
      ->type_name("FILE");
  command.add_option("-m,--metric", arguments->metric, "What to export: wall, cpu, samples, ...")
      ->type_name("NAME");
  add_with_regions(command, arguments->with_regions);
  command
      .add_option("--region", arguments->region,
                  "Only what happened inside this region of the program (pyrometer.timed_region)")
      ->type_name("NAME");
  command.add_flag("--json", arguments->json, "The same as --format json");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_export(*arguments); }; });
}

}  // namespace pyrometer
