#include "analyze/main_metric.h"
#include "base/format_value.h"
#include "base/json_writer.h"
#include "cli/command_line.h"
#include "cli/lines_inputs.h"
#include "cli/merge_format.h"
#include "cli/merge_name.h"
#include "cli/pstats_inputs.h"
#include "cli/terminal.h"
#include "export/exporter.h"
#include "load/load.h"
#include "merge/merge.h"

namespace pyrometer {
namespace {

struct MergeArguments {
  std::vector<std::string> profiles;
  std::string output;
  std::string format;
  bool json = false;
};

// A sum that counts itself, as the second "merge 'run.*' -o run.sum" would make it, is never
// what was meant.
Result<void> check_output(const std::vector<Path>& paths, const Path& output) {
  for (const Path& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(path, output, ignored)) continue;
    return fail(ErrorCode::kUsage, "'{}' is one of the inputs; write the output somewhere else",
                output.string());
  }
  return {};
}

// The sum in cProfile's format, in pstats' arithmetic: "merge a.prof b.prof -o sum.prof".
Result<MergeSummary> merge_to_pstats(const std::vector<Path>& paths, const Path& output) {
  ProgressLine progress;
  PYROMETER_TRY(PstatsInputs inputs, load_as_pstats(paths, "", progress.listener()));
  PstatsFile& file = inputs.sum.file;
  file.sampled = false;  // pstats before 3.15 cannot load a file with the mark
  const std::string bytes = write_pstats(file);
  PYROMETER_TRY_VOID(write_file(output, bytes));
  return MergeSummary{.files = paths.size(),
                      .processes = inputs.processes,
                      .functions = file.functions.size(),
                      .bytes = bytes.size(),
                      .left_out = std::move(inputs.notes)};
}

// The sum in line_profiler's format and arithmetic: "merge a.lprof b.lprof -o sum.lprof".
Result<MergeSummary> merge_to_lprof(const std::vector<Path>& paths, const Path& output) {
  ProgressLine progress;
  PYROMETER_TRY(LprofInputs inputs, load_as_lprof(paths, progress.listener()));
  const std::string bytes = write_lprof(inputs.sum);
  PYROMETER_TRY_VOID(write_file(output, bytes));
  return MergeSummary{.files = paths.size(),
                      .processes = inputs.processes,
                      .functions = inputs.sum.functions.size(),
                      .bytes = bytes.size(),
                      .left_out = std::move(inputs.notes)};
}

// Several profiles as one file of another format: "merge a.pyr b.pyr -o both.speedscope.json".
Result<MergeSummary> merge_to_format(const std::vector<Path>& paths, const Path& output,
                                     const Exporter& exporter) {
  ProgressLine progress;
  const Detail detail = exporter.needs_events ? Detail::kEverything : Detail::kValues;
  PYROMETER_TRY(const Profile profile, load_profile(paths, {detail, progress.listener()}));
  PYROMETER_TRY(const MetricId metric, main_metric(profile));
  PYROMETER_TRY(const std::string bytes, exporter.write(make_overview(profile, metric)));
  PYROMETER_TRY_VOID(write_file(output, bytes));
  return MergeSummary{.files = profile.processes.size(),
                      .processes = profile.processes.size(),
                      .functions = profile.functions.size(),
                      .nodes = profile.nodes.size(),
                      .bytes = bytes.size(),
                      .left_out = profile.notes};
}

Result<MergeSummary> merge(const MergeArguments& arguments, const std::vector<Path>& paths,
                           const Path& output) {
  PYROMETER_TRY_VOID(check_output(paths, output));
  PYROMETER_TRY(const MergeFormat format,
                choose_merge_format(arguments.format, output.string(), paths));
  if (format == nullptr) {
    ProgressLine progress;
    return merge_files(paths, output, progress.listener());
  }
  if (format->name == "lprof") return merge_to_lprof(paths, output);
  if (format->name == "pstats") return merge_to_pstats(paths, output);
  if (format->write == nullptr) {
    return fail(ErrorCode::kUsage, "'{}' would be a folder; use 'pyrometer export -F {} -o {}'",
                output.string(), format->name, output.string());
  }
  return merge_to_format(paths, output, *format);
}

std::string summary_json(const MergeSummary& summary, const std::string& output) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-merge");
  json.member("output", output).member("bytes", summary.bytes).member("files", summary.files);
  json.member("processes", summary.processes).member("functions", summary.functions);
  json.member("nodes", summary.nodes).key("left_out").begin_array();
  for (const std::string& sentence : summary.left_out) json.value(sentence);
  json.end_array().end_object();
  return json.take();
}

std::string summary_text(const MergeSummary& summary, const std::string& output) {
  // cProfile's format has no call tree.
  const std::string content = summary.nodes == 0
                                  ? format_plural(summary.functions, "function", "functions")
                                  : format_plural(summary.nodes, "position", "positions");
  return fmt::format("{}: {}, {}, {}\n", output,
                     format_plural(summary.processes, "process", "processes"), content,
                     format_value(Unit::kBytes, static_cast<std::int64_t>(summary.bytes)));
}

Result<void> run_merge(const MergeArguments& arguments) {
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  PYROMETER_TRY(const std::string output, expand_merge_name(arguments.output, paths));
  PYROMETER_TRY(const MergeSummary summary, merge(arguments, paths, output));
  for (const std::string& sentence : summary.left_out) print_error(sentence);
  return write_to_stdout(arguments.json ? summary_json(summary, output)
                                        : summary_text(summary, output));
}

}  // namespace

void add_merge_command(CommandLine& line) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "merge", "Many profiles, or all ranks of a run, into one file to keep and carry");
  add_profiles(command, arguments->profiles);
  command
      .add_option("-o,--output", arguments->output,
                  "File to write: .pyro for everything, .prof or .lprof for a sum that pstats or "
                  "line_profiler reads; %s stem of the first input, %n running number, %j job, %h "
                  "host, %p pid")
      ->type_name("FILE")
      ->required();
  CLI::Option* format =
      command
          .add_option("-F,--format", arguments->format,
                      "pyro, pstats, lprof or any of 'pyrometer export' (default: what the "
                      "output's name says, else the inputs' own format)")
          ->type_name("FORMAT");
  line.choices[format] = {"pyro"};
  for (const Exporter& exporter : exporters()) line.choices[format].emplace_back(exporter.name);
  command.add_flag("--json", arguments->json, "The summary as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_merge(*arguments); }; });
}

}  // namespace pyrometer
