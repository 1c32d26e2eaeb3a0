#include <chrono>

#include "base/rank_set.h"
#include "cli/run_environment.h"
#include "cli/run_report.h"
#include "cli/terminal.h"
#include "os/child_process.h"
#include "os/installation.h"
#include "os/run_place.h"
#include "os/standard_streams.h"

namespace pyrometer {
namespace {

// As shells answer.
constexpr int kNotFoundStatus = 127;
constexpr int kNotExecutableStatus = 126;

RunInfo describe_run(const RunArguments& arguments, const RunTarget& target,
                     const RunPlace& place) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  RunInfo info{.launch = place.launch,
               .argv = target.argv,
               .python = target.is_python ? target.argv[0] : "",
               .host = place.host,
               .launcher = place.rank ? place.rank->launcher : "",
               .size = place.rank ? place.rank->size : 0,
               .start = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()};
  if (!arguments.ranks.empty()) info.options["ranks"] = arguments.ranks;
  if (arguments.paused) info.options["paused"] = "yes";
  if (arguments.exact) {
    info.options["engine"] = "exact";
    info.options["c-callables"] = arguments.c_callables;
    info.options["throttle"] = arguments.throttle ? "yes" : "no";
    info.options["calibrate"] = arguments.calibrate ? "yes" : "no";
    if (arguments.timeline) info.options["timeline"] = std::to_string(arguments.timeline_size);
    return info;
  }
  if (arguments.lines) {
    info.options["lines"] = fmt::format("{}", fmt::join(arguments.line_targets, " "));
  }
  if (arguments.rate) info.options["rate"] = std::to_string(*arguments.rate);
  info.options["clock"] = arguments.clock;
  return info;
}

// Whether this process is one of the ranks that the user wants recorded.
Result<bool> is_recorded(const RunArguments& arguments, const RunPlace& place) {
  if (arguments.ranks.empty()) return true;
  PYROMETER_TRY(const RankSet ranks, RankSet::parse(arguments.ranks));
  return !place.rank || ranks.contains(place.rank->rank);
}

// The library that times MPI calls, where it is wanted, can be used and is installed.
Path choose_mpi_library(const RunArguments& arguments, const RunTarget& target,
                        const RunPlace& place, const Installation& installation,
                        std::vector<std::string>& notices) {
  const bool has_launcher = place.rank || (!target.is_python && is_launcher(target.argv[0]));
  const bool is_wanted = !arguments.no_mpi && (arguments.mpi || has_launcher);
  if (!is_wanted || installation.mpi_library.empty()) return {};
  const std::string reason = why_not_preloaded(installation.mpi_library);
  if (reason.empty()) return installation.mpi_library;
  if (!place.rank || place.rank->rank == 0) {
    notices.push_back(
        fmt::format("MPI calls are not timed, as {}, or run it with --no-mpi", reason));
  }
  return {};
}

// What was asked for needs this library: without it there is nothing to record.
Result<Path> require_library(const Path& library, const char* what, const char* file) {
  if (library.empty()) {
    return fail(ErrorCode::kNotFound,
                "this installation cannot record {}, as its file {} is missing; "
                "install Pyrometer again",
                what, file);
  }
  const std::string reason = why_not_preloaded(library);
  if (!reason.empty()) return fail(ErrorCode::kUsage, "{} cannot be recorded, as {}", what, reason);
  return library;
}

Result<Path> choose_memory_library(const RunArguments& arguments,
                                   const Installation& installation) {
  if (arguments.memory.empty()) return Path();
  return require_library(installation.memory_library, "memory", "_memory.so");
}

Result<Path> choose_copies_library(const RunArguments& arguments,
                                   const Installation& installation) {
  if (!arguments.copies) return Path();
  return require_library(installation.copies_library, "copies", "_copies.so");
}

Result<std::vector<RegionTarget>> parse_regions(const RunArguments& arguments) {
  std::vector<RegionTarget> targets;
  for (const std::string& text : arguments.regions) {
    PYROMETER_TRY(RegionTarget target, parse_region_target(text));
    targets.push_back(std::move(target));
  }
  return targets;
}

// The program could not be started: one sentence, and the status a shell would give.
int refuse_start(const Error& error, const RunTarget& target, bool may_speak) {
  const bool is_missing = error.code == ErrorCode::kNotFound;
  const char* remedy = !is_missing        ? ""
                       : target.is_python ? "; name a Python with --python"
                                          : "; check the name, and PATH";
  if (may_speak) print_error(error.message + remedy);
  return is_missing ? kNotFoundStatus : kNotExecutableStatus;
}

// Whether we are the one that says why nothing could be started. The last one to know takes the
// run away.
bool may_speak_of_start(const FinishedRun& run) {
  const Path& directory = run.output.directory;
  const bool is_shared = run.rank >= 0;
  const bool may_speak = !is_shared || claim(directory, "failure");
  if (!is_shared) remove_run(directory);
  if (is_shared && mark_end_of_rank(directory, run.rank, run.size)) remove_empty_run(directory);
  return may_speak;
}

Result<void> run_program(const RunArguments& arguments, CommandLine& line) {
  fill_closed_streams();
  PYROMETER_TRY(const RunTarget target, resolve_target(line.program, arguments.python));
  PYROMETER_TRY(const Installation installation, find_installation());
  PYROMETER_TRY(const std::vector<RegionTarget> regions, parse_regions(arguments));
  PYROMETER_TRY(const Path memory_library, choose_memory_library(arguments, installation));
  PYROMETER_TRY(const Path copies_library, choose_copies_library(arguments, installation));
  const RunPlace place = find_place();
  PYROMETER_TRY(const bool is_recorded_rank, is_recorded(arguments, place));
  FinishedRun run{.target = target,
                  .parts = {.script = place.is_mpmd ? "mpmd" : target.name,
                            .job = place.job,
                            .host = place.host,
                            .pid = static_cast<std::uint64_t>(own_start().pid),
                            .rank = place.rank ? place.rank->rank : 0},
                  .rank = place.is_shared ? place.rank->rank : -1,
                  .size = place.is_shared ? place.rank->size : 0,
                  .ranks = place.is_shared ? arguments.ranks : "",
                  .regions = regions,
                  .quiet = arguments.quiet,
                  .json = arguments.json};
  PYROMETER_TRY(NoticeSocket notices, NoticeSocket::open());
  const OutputRequest request{.output = arguments.output,
                              .replace = arguments.replace,
                              .is_shared = place.is_shared,
                              .parts = run.parts};
  const RunInfo info = describe_run(arguments, target, place);
  auto output = open_run_output(request, info);
  if (!output) {
    if (may_speak_of_refusal(request, info)) return tl::unexpected(output.error());
    line.status = output.error().code == ErrorCode::kUsage ? 2 : 1;  // another rank says why
    return {};
  }
  run.output = *std::move(output);
  const Path mpi_library =
      choose_mpi_library(arguments, target, place, installation, run.end.notices);
  const RecordingSetup setup{.start_folder = installation.start_folder,
                             .mpi_library = mpi_library,
                             .memory_library = memory_library,
                             .copies_library = copies_library,
                             .directory = run.output.directory,
                             .launch = place.launch,
                             .notices = notices.name()};
  Ending ending;
  {
    PYROMETER_TRY(SignalGuard signals, SignalGuard::install());
    auto child = ChildProcess::start(target.argv,
                                     is_recorded_rank ? recording_environment(arguments, setup)
                                                      : EnvironmentBlock::of_this_process(),
                                     signals);
    if (!child) {
      line.status = refuse_start(child.error(), target, may_speak_of_start(run));
      return {};
    }
    run.pid = child->pid();
    ending = child->wait(signals, notices);
  }
  survive_closed_pipes();  // `2>&1 | head` must not change the status
  run.end.status = ending.status;
  run.end.signal = ending.signal;
  const std::vector<std::string>& heard = notices.notices();
  run.end.notices.insert(run.end.notices.end(), heard.begin(), heard.end());
  report_run(std::move(run));
  if (ending.signal != 0) die_by_signal(ending.signal);
  line.status = ending.status;
  return {};
}

}  // namespace

void add_run_command(CommandLine& line) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App& command = add_run_options(line, arguments);
  command.callback([&line, arguments] {
    line.action = [&line, arguments] { return run_program(*arguments, line); };
  });
}

}  // namespace pyrometer
