#include <chrono>

#include "cli/command_line.h"
#include "cli/run_report.h"
#include "cli/terminal.h"
#include "os/child_process.h"
#include "os/host_name.h"
#include "os/installation.h"
#include "os/rank.h"
#include "os/standard_streams.h"

namespace pyrometer {
namespace {

// As shells answer.
constexpr int kNotFoundStatus = 127;
constexpr int kNotExecutableStatus = 126;

struct RunArguments {
  std::string output;
  bool exact = false;
  std::string c_callables = "builtin";
  bool calibrate = false;
  bool throttle = false;
  bool timeline = false;
  int timeline_size = 250'000;
  bool lines = false;
  std::vector<std::string> line_targets;
  bool lines_imports = false;
  std::optional<int> rate;
  std::string clock = "auto";
  std::string python = "python3";
  bool quiet = false;
  bool replace = false;
  bool json = false;
};

// Who we are among the processes of a launch.
struct Place {
  std::string host;
  std::optional<Rank> rank;
  bool is_shared = false;  // other ranks record into the same directory
  std::string launch;
  std::string job;
};

Place find_place() {
  Place place{.host = host_name(), .rank = detect_rank(own_environment)};
  // A launch of one, as an interactive shell of srun is, may run many programs one by one.
  place.is_shared = place.rank && place.rank->size != 1;
  const auto no_environment = [](const char*) -> std::optional<std::string> { return {}; };
  place.launch = place.is_shared ? launch_identity(own_environment, place.host, parent_start())
                                 : launch_identity(no_environment, place.host, own_start());
  const std::size_t label_end = place.launch.find(':') + 1;
  const std::string no_job = place.is_shared ? place.launch.substr(label_end) : "local";
  place.job = job_id(own_environment).value_or(no_job);
  return place;
}

RunInfo describe_run(const RunArguments& arguments, const RunTarget& target, const Place& place) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  RunInfo info{.launch = place.launch,
               .argv = target.argv,
               .python = target.is_python ? target.argv[0] : "",
               .host = place.host,
               .launcher = place.rank ? place.rank->launcher : "",
               .size = place.rank ? place.rank->size : 0,
               .start = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()};
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

// The environment we were given, and what tells the start-up hook in it to record.
EnvironmentBlock make_environment(const RunArguments& arguments, const Installation& installation,
                                  const Path& directory, const Place& place,
                                  const NoticeSocket& notices) {
  EnvironmentBlock environment = EnvironmentBlock::of_this_process();
  const std::string start = installation.start_folder.string();
  const std::string others = own_environment("PYTHONPATH").value_or("");
  const bool is_first_already = others == start || others.starts_with(start + ":");
  environment.set("PYTHONPATH", is_first_already ? others
                                : others.empty() ? start
                                                 : start + ":" + others);
  environment.set("PYROMETER_RUN", std::filesystem::absolute(directory).string());
  environment.set("PYROMETER_LAUNCH", place.launch);
  environment.set("PYROMETER_NOTICES", notices.name());
  // What an outer `pyrometer run` chose is not for us.
  environment.remove("PYROMETER_RATE");
  environment.remove("PYROMETER_CLOCK");
  environment.remove("PYROMETER_EXACT");
  environment.remove("PYROMETER_C_CALLABLES");
  environment.remove("PYROMETER_CALIBRATE");
  environment.remove("PYROMETER_TIMELINE");
  environment.remove("PYROMETER_THROTTLE");
  environment.remove("PYROMETER_LINES");
  environment.remove("PYROMETER_LINES_IMPORTS");
  if (arguments.lines) {
    std::string targets;  // a line each; never empty, as that would mean nothing
    for (const std::string& target : arguments.line_targets) targets += target + "\n";
    environment.set("PYROMETER_LINES", targets.empty() ? "\n" : targets);
    if (arguments.lines_imports) environment.set("PYROMETER_LINES_IMPORTS", "1");
  }
  if (arguments.exact) {
    environment.set("PYROMETER_EXACT", "1");
    environment.set("PYROMETER_C_CALLABLES", arguments.c_callables);
    if (arguments.calibrate) environment.set("PYROMETER_CALIBRATE", "1");
    if (arguments.throttle) environment.set("PYROMETER_THROTTLE", "1");
    if (arguments.timeline) {
      environment.set("PYROMETER_TIMELINE", std::to_string(arguments.timeline_size));
    }
  }
  if (arguments.rate) environment.set("PYROMETER_RATE", std::to_string(*arguments.rate));
  if (arguments.clock != "auto") environment.set("PYROMETER_CLOCK", arguments.clock);
  return environment;
}

// The program could not be started: one sentence, and the status a shell would give.
int refuse_start(const Error& error, const RunTarget& target) {
  const bool is_missing = error.code == ErrorCode::kNotFound;
  const char* remedy = !is_missing        ? ""
                       : target.is_python ? "; name a Python with --python"
                                          : "; check the name, and PATH";
  print_error(error.message + remedy);
  return is_missing ? kNotFoundStatus : kNotExecutableStatus;
}

Result<void> run_program(const RunArguments& arguments, CommandLine& line) {
  fill_closed_streams();
  PYROMETER_TRY(const RunTarget target, resolve_target(line.program, arguments.python));
  PYROMETER_TRY(const Installation installation, find_installation());
  const Place place = find_place();
  FinishedRun run{.target = target,
                  .parts = {.script = target.name,
                            .job = place.job,
                            .host = place.host,
                            .pid = static_cast<std::uint64_t>(own_start().pid),
                            .rank = place.rank ? place.rank->rank : 0},
                  .rank = place.is_shared ? place.rank->rank : -1,
                  .size = place.is_shared ? place.rank->size : 0,
                  .quiet = arguments.quiet,
                  .json = arguments.json};
  PYROMETER_TRY(NoticeSocket notices, NoticeSocket::open());
  PYROMETER_TRY(run.output, open_run_output({.output = arguments.output,
                                             .replace = arguments.replace,
                                             .is_shared = place.is_shared,
                                             .parts = run.parts},
                                            describe_run(arguments, target, place)));
  Ending ending;
  {
    PYROMETER_TRY(SignalGuard signals, SignalGuard::install());
    auto child = ChildProcess::start(
        target.argv,
        make_environment(arguments, installation, run.output.directory, place, notices), signals);
    if (!child) {
      if (!place.is_shared) remove_run(run.output.directory);
      line.status = refuse_start(child.error(), target);
      return {};
    }
    ending = child->wait(signals, notices);
  }
  survive_closed_pipes();  // `2>&1 | head` must not change the status
  run.end = {ending.status, ending.signal, notices.notices()};
  report_run(std::move(run));
  if (ending.signal != 0) die_by_signal(ending.signal);
  line.status = ending.status;
  return {};
}

}  // namespace

void add_run_command(CommandLine& line) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "run", "Record a program: script.py, -m module, -c code, or any program that starts Python");
  command
      .add_option("PROGRAM", line.program,
                  "script.py, -m module, -c code or a program, then its own arguments; after -- "
                  "always a program")
      ->type_name("");
  command
      .add_option("-o,--output", arguments->output,
                  "Folder of the run (default: pyrometer-SCRIPT-NUMBER), or FILE.prof to get "
                  "cProfile's format as well; %s script, %n running number, %j job, %h host, %p "
                  "pid and %r rank are filled in")
      ->type_name("RUN");
  CLI::Option* exact =
      command.add_flag("--exact", arguments->exact,
                       "Count and time every call, as cProfile does, instead of sampling");
  command
      .add_option("--c-callables", arguments->c_callables,
                  "With --exact, what is counted of what is not written in Python: builtin "
                  "functions and methods, as cProfile does, or all callables, numpy's ufuncs and "
                  "types among them (default: builtin)")
      ->type_name("WHICH")
      ->needs(exact)
      ->check(CLI::IsMember({"builtin", "all"}).description(""));
  command
      .add_flag("--calibrate", arguments->calibrate,
                "With --exact, subtract what counting costs, as measured at the start")
      ->needs(exact);
  command
      .add_flag(
          "--throttle", arguments->throttle,
          "With --exact, count only 1,000 calls per second of functions that were called more "
          "than 100,000 times at under 10 microseconds each")
      ->needs(exact);
  CLI::Option* timeline = command.add_flag(
      "--timeline", arguments->timeline,
      "With --exact, keep the latest calls of each thread one by one, with their times; see them "
      "with export --format chrome");
  timeline->needs(exact);
  command
      .add_option("--timeline-size", arguments->timeline_size,
                  "How many calls of each thread the timeline keeps, the oldest are dropped "
                  "(default: 250000)")
      ->type_name("CALLS")
      ->needs(timeline)
      ->check(CLI::Range(1, 100'000'000).description(""));
  CLI::Option* lines =
      command
          .add_option("--lines", arguments->line_targets,
                      "Measure hits and time of every line, beside sampling: of functions that "
                      "are decorated with @profile, else of all in the program's own files; or of "
                      "WHAT: a function, module, package.*, file.py or file.py:function; may be "
                      "repeated")
          ->type_name("=WHAT")
          ->expected(0, 1)
          ->take_all()
          ->excludes(exact);
  command
      .add_flag("--lines-imports", arguments->lines_imports,
                "With --lines, also what the program's main module imports")
      ->needs(lines);
  command
      .add_option("--rate", arguments->rate,
                  "Samples per second and thread, 1 to 20000 (default: 200, less where that would "
                  "cost more than 1 %)")
      ->type_name("HZ")
      ->excludes(exact)
      ->check(CLI::Range(1, 20000).description(""));
  command
      .add_option("--clock", arguments->clock,
                  "What interrupts threads: perf, timer or auto (default: auto)")
      ->type_name("CLOCK")
      ->excludes(exact)
      ->check(CLI::IsMember({"auto", "perf", "timer"}).description(""));
  command
      .add_option("--python", arguments->python,
                  "Interpreter for scripts, modules and code (default: python3)")
      ->type_name("EXE");
  command.add_flag("-q,--quiet", arguments->quiet, "No summary; failures are still told");
  command.add_flag("--replace", arguments->replace, "Let the run named with -o replace an old one");
  command.add_flag("--json", arguments->json,
                   "The summary as one JSON document, on standard error like all we say");
  command.callback([&line, arguments, lines] {
    arguments->lines = lines->count() > 0;
    std::erase(arguments->line_targets, "");  // --lines alone
    line.action = [&line, arguments] { return run_program(*arguments, line); };
  });
}

}  // namespace pyrometer
