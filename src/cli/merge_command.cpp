#include "analyze/main_metric.h"
#include "base/format_value.h"
#include "base/json_writer.h"
#include "cli/command_line.h"
#include "cli/lines_inputs.h"
#include "cli/merge_format.h"
#include "cli/merge_name.h"
#include "cli/merge_team.h"
#include "cli/pstats_inputs.h"
#include "cli/rank_analysis.h"
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
  bool update = false;
  bool no_mpi = false;
  bool no_source = false;
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

// What is merged into what, in which format.
struct MergeTask {
  std::vector<Path> paths;
  std::string output;
  MergeFormat format = nullptr;
};

Result<void> check_standard_output(const MergeArguments& arguments, const MergeTask& task) {
  if (task.format == nullptr) {
    return fail(ErrorCode::kUsage, "a merged file is a database; name it with -o FILE.pyro");
  }
  if (arguments.json) {
    return fail(ErrorCode::kUsage,
                "--json says on standard output what was written, so name a file with -o");
  }
  if (task.format->is_binary && stdout_is_terminal()) {
    return fail(ErrorCode::kUsage, "a {} file is not text; name a file with -o", task.format->name);
  }
  return {};
}

Result<void> write_merged(const std::string& output, std::string_view bytes) {
  return output == kStandardStream ? write_to_stdout(bytes) : write_file(output, bytes);
}

Result<MergeTask> make_task(const MergeArguments& arguments) {
  MergeTask task;
  PYROMETER_TRY(task.paths, find_profiles(arguments.profiles));
  PYROMETER_TRY(task.output, expand_merge_name(arguments.output, task.paths));
  PYROMETER_TRY_VOID(check_output(task.paths, task.output));
  PYROMETER_TRY(task.format, choose_merge_format(arguments.format, task.output, task.paths));
  if (task.output == kStandardStream) PYROMETER_TRY_VOID(check_standard_output(arguments, task));
  if (arguments.update && task.format != nullptr) {
    return fail(ErrorCode::kUsage, "only a merged file can be updated; let '{}' end in .pyro",
                task.output);
  }
  return task;
}

// The sum in cProfile's format, in pstats' arithmetic: "merge a.prof b.prof -o sum.prof".
Result<MergeSummary> merge_to_pstats(const std::vector<Path>& paths, const std::string& output) {
  ProgressLine progress;
  PYROMETER_TRY(PstatsInputs inputs, load_as_pstats(paths, "", progress.listener()));
  PstatsFile& file = inputs.sum.file;
  file.sampled = false;  // pstats before 3.15 cannot load a file with the mark
  const std::string bytes = write_pstats(file);
  PYROMETER_TRY_VOID(write_merged(output, bytes));
  return MergeSummary{.files = paths.size(),
                      .processes = inputs.processes,
                      .functions = file.functions.size(),
                      .bytes = bytes.size(),
                      .left_out = std::move(inputs.notes)};
}

// The sum in line_profiler's format and arithmetic: "merge a.lprof b.lprof -o sum.lprof".
Result<MergeSummary> merge_to_lprof(const std::vector<Path>& paths, const std::string& output) {
  ProgressLine progress;
  PYROMETER_TRY(LprofInputs inputs, load_as_lprof(paths, progress.listener()));
  const std::string bytes = write_lprof(inputs.sum);
  PYROMETER_TRY_VOID(write_merged(output, bytes));
  return MergeSummary{.files = paths.size(),
                      .processes = inputs.processes,
                      .functions = inputs.sum.functions.size(),
                      .bytes = bytes.size(),
                      .left_out = std::move(inputs.notes)};
}

// Several profiles as one file of another format: "merge a.pyr b.pyr -o both.speedscope.json".
Result<MergeSummary> merge_to_format(const std::vector<Path>& paths, const std::string& output,
                                     const Exporter& exporter) {
  ProgressLine progress;
  const Detail detail = exporter.needs_events ? Detail::kEverything : Detail::kValues;
  PYROMETER_TRY(const Profile profile, load_profile(paths, {detail, progress.listener()}));
  PYROMETER_TRY(const MetricId metric, main_metric(profile));
  PYROMETER_TRY(const std::string bytes, write_export(exporter, make_overview(profile, metric)));
  PYROMETER_TRY_VOID(write_merged(output, bytes));
  return MergeSummary{.files = profile.processes.size(),
                      .processes = profile.processes.size(),
                      .functions = profile.functions.size(),
                      .nodes = profile.nodes.size(),
                      .bytes = bytes.size(),
                      .left_out = profile.notes};
}

Result<MergeSummary> merge_to_foreign(const MergeTask& task) {
  const Exporter& exporter = *task.format;
  if (exporter.name == "lprof") return merge_to_lprof(task.paths, task.output);
  if (exporter.name == "pstats") return merge_to_pstats(task.paths, task.output);
  if (exporter.write == nullptr) {
    return fail(ErrorCode::kUsage, "'{}' would be a folder; use 'pyrometer export -F {} -o {}'",
                task.output, exporter.name, task.output);
  }
  return merge_to_format(task.paths, task.output, exporter);
}

std::string summary_json(const MergeSummary& summary, const std::string& output) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-merge");
  json.member("output", output).member("bytes", summary.bytes).member("files", summary.files);
  json.member("processes", summary.processes).member("functions", summary.functions);
  json.member("nodes", summary.nodes)
      .member("unchanged", summary.unchanged)
      .key("left_out")
      .begin_array();
  for (const std::string& sentence : summary.left_out) json.value(sentence);
  json.end_array().end_object();
  return json.take();
}

std::string summary_text(const MergeSummary& summary, const std::string& output) {
  // cProfile's format has no call tree.
  const std::string content = summary.nodes == 0
                                  ? format_plural(summary.functions, "function", "functions")
                                  : format_plural(summary.nodes, "position", "positions");
  const std::string unchanged =
      summary.unchanged == 0
          ? ""
          : fmt::format(", {} as before",
                        format_plural(summary.unchanged, "recording", "recordings"));
  return fmt::format(
      "{}: {}, {}, {}{}\n", output, format_plural(summary.processes, "process", "processes"),
      content, format_value(Unit::kBytes, static_cast<std::int64_t>(summary.bytes)), unchanged);
}

Result<void> tell(const MergeArguments& arguments, const MergeSummary& summary,
                  const std::string& output) {
  for (const std::string& sentence : summary.left_out) print_error(sentence);
  if (output == kStandardStream) return {};
  return write_to_stdout(arguments.json ? summary_json(summary, output)
                                        : summary_text(summary, output));
}

// Every process of a launch is to merge the same inputs; the first one knows what they are.
Result<void> merge_in_team(const MergeArguments& arguments, const MergePart& part) {
  Team& team = *part.team;
  MergeTask task;
  Result<void> made;
  if (team.is_first()) {
    auto result = make_task(arguments);
    if (result) {
      task = *std::move(result);
    } else {
      made = tl::unexpected(result.error());
    }
  }
  PYROMETER_TRY_VOID(agree(team, made));
  const bool is_foreign = !broadcast(team, task.format == nullptr ? "" : "foreign").empty();
  if (is_foreign) {
    if (!team.is_first()) return {};
    PYROMETER_TRY(const MergeSummary summary, merge_to_foreign(task));
    return tell(arguments, summary, task.output);
  }
  task.output = broadcast(team, task.output);
  ProgressLine progress;
  RankAnalysis ranks;
  MergeAnalysis* const analyses[] = {&ranks};
  PYROMETER_TRY(const MergeSummary summary,
                merge_files(task.paths, task.output,
                            {.progress = team.is_first() ? progress.listener() : Progress(),
                             .analyses = analyses,
                             .team = &team,
                             .workers = part.workers,
                             .update = arguments.update,
                             .without_sources = arguments.no_source}));
  return team.is_first() ? tell(arguments, summary, task.output) : Result<void>();
}

Result<void> merge_alone(const MergeArguments& arguments) {
  PYROMETER_TRY(const MergeTask task, make_task(arguments));
  if (task.format != nullptr) {
    PYROMETER_TRY(const MergeSummary summary, merge_to_foreign(task));
    return tell(arguments, summary, task.output);
  }
  ProgressLine progress;
  RankAnalysis ranks;
  MergeAnalysis* const analyses[] = {&ranks};
  PYROMETER_TRY(const MergeSummary summary, merge_files(task.paths, task.output,
                                                        {.progress = progress.listener(),
                                                         .analyses = analyses,
                                                         .update = arguments.update,
                                                         .without_sources = arguments.no_source}));
  return tell(arguments, summary, task.output);
}

Result<void> run_merge(const MergeArguments& arguments) {
  const MergePart part = join_merge(!arguments.no_mpi);
  if (part.is_idle) return {};
  if (part.team == nullptr) return merge_alone(arguments);
  Result<void> merged = merge_in_team(arguments, part);
  // The first process tells what went wrong. The others end well: a launcher that sees one fail
  // may kill it before it has spoken.
  return part.team->is_first() ? merged : Result<void>();
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
                  "line_profiler reads, - for standard output; %s stem of the first input, %n "
                  "running number, %j job, %h host, %p pid")
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
  command.add_flag(
      "--update", arguments->update,
      "Read only recordings that the output does not have yet, or that may have grown");
  command.add_flag("--no-mpi", arguments->no_mpi,
                   "Under an MPI launcher: every process merges for itself, not all together");
  command.add_flag("--no-source", arguments->no_source,
                   "Leave out the text of source files that are on this machine");
  command.add_flag("--json", arguments->json, "The summary as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_merge(*arguments); }; });
}

}  // namespace pyrometer
