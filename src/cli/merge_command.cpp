#include "analyze/main_metric.h"
#include "base/json_writer.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "export/exporter.h"
#include "load/load.h"
#include "merge/merge.h"
#include "report/format_value.h"

namespace pyrometer {
namespace {

struct MergeArguments {
  std::vector<std::string> profiles;
  std::string output;
  bool json = false;
};

// Several profiles as one file of another format: "merge a.prof b.prof -o sum.prof".
Result<MergeSummary> merge_to_format(const MergeArguments& arguments, const Exporter& exporter) {
  ProgressLine progress;
  PYROMETER_TRY(const Profile profile,
                load_profile(as_paths(arguments.profiles), {Detail::kValues, progress.listener()}));
  PYROMETER_TRY(const MetricId metric, main_metric(profile));
  PYROMETER_TRY(const std::string bytes, exporter.write(make_overview(profile, metric)));
  PYROMETER_TRY_VOID(write_file(arguments.output, bytes));
  return MergeSummary{.files = profile.processes.size(),
                      .processes = profile.processes.size(),
                      .functions = profile.functions.size(),
                      .nodes = profile.nodes.size(),
                      .bytes = bytes.size(),
                      .left_out = profile.notes};
}

Result<MergeSummary> merge(const MergeArguments& arguments) {
  if (arguments.output.ends_with(".pyro")) {
    ProgressLine progress;
    return merge_files(as_paths(arguments.profiles), arguments.output, progress.listener());
  }
  const auto exporter = find_exporter("", arguments.output);
  if (!exporter) {
    return fail(ErrorCode::kUsage,
                "the output '{}' must end in .pyro, or in .prof for a sum that pstats reads",
                arguments.output);
  }
  return merge_to_format(arguments, **exporter);
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
  return fmt::format("{}: {}, {}, {}\n", output,
                     format_plural(summary.processes, "process", "processes"),
                     format_plural(summary.nodes, "position", "positions"),
                     format_value(Unit::kBytes, static_cast<std::int64_t>(summary.bytes)));
}

Result<void> run_merge(const MergeArguments& arguments) {
  PYROMETER_TRY(const MergeSummary summary, merge(arguments));
  for (const std::string& sentence : summary.left_out) print_error(sentence);
  return write_to_stdout(arguments.json ? summary_json(summary, arguments.output)
                                        : summary_text(summary, arguments.output));
}

}  // namespace

void add_merge_command(CommandLine& line) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "merge", "Many profiles, or all ranks of a run, into one file to keep and carry");
  add_profiles(command, arguments->profiles);
  command
      .add_option("-o,--output", arguments->output,
                  "File to write: .pyro for everything, .prof for a sum that pstats reads")
      ->type_name("FILE")
      ->required();
  command.add_flag("--json", arguments->json, "The summary as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_merge(*arguments); }; });
}

}  // namespace pyrometer
