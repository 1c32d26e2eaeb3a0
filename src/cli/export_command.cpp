#include "analyze/main_metric.h"
#include "cli/command_line.h"
#include "cli/lines_inputs.h"
#include "cli/terminal.h"
#include "export/exporter.h"
#include "load/load.h"

namespace pyrometer {
namespace {

struct ExportArguments {
  std::vector<std::string> profiles;
  std::string format;
  std::string output;
  std::string metric;
  bool json = false;
};

bool goes_to_stdout(const ExportArguments& arguments) {
  return arguments.output.empty() || arguments.output == "-";
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
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  if (exporter->name == "lprof") {
    PYROMETER_TRY(const LprofInputs inputs, load_as_lprof(paths, progress.listener()));
    return write_output(arguments, write_lprof(inputs.sum));
  }
  const Detail detail = exporter->needs_events ? Detail::kEverything : Detail::kValues;
  PYROMETER_TRY(const Profile profile, load_profile(paths, {detail, progress.listener()}));
  PYROMETER_TRY(const MetricId metric, arguments.metric.empty()
                                           ? main_metric(profile)
                                           : named_metric(profile, arguments.metric));
  if (exporter->write_folder != nullptr) {
    PYROMETER_TRY(const auto files, exporter->write_folder(make_overview(profile, metric)));
    return write_folder(arguments, files);
  }
  PYROMETER_TRY(const std::string bytes, exporter->write(make_overview(profile, metric)));
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
      .add_option("-o,--output", arguments->output,
                  "File to write, a folder for tau (default: standard output)")
      ->type_name("FILE");
  command.add_option("-m,--metric", arguments->metric, "What to export: wall, cpu, samples, ...")
      ->type_name("NAME");
  command.add_flag("--json", arguments->json, "The same as --format json");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_export(*arguments); }; });
}

}  // namespace pyrometer
