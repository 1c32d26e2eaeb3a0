// The options of `pyrometer run`.
#include "cli/run_arguments.h"
#include "cli/run_output.h"

namespace pyrometer {

CLI::App& add_run_options(CommandLine& line, const std::shared_ptr<RunArguments>& arguments) {
  CLI::App& command = *line.app.add_subcommand(
      "run", "Record a program: script.py, -m module, -c code, or any program that starts Python");
  command
      .add_option(kProgramOperand, line.program,
                  "script.py, -m module, -c code or a program, then its own arguments; after -- "
                  "always a program")
      ->type_name("");
  command
      .add_option(
          "-o,--output", arguments->output,
          "Folder of the run (default: pyrometer-SCRIPT-NUMBER), or a file to derive from it "
          "as well: FILE.prof for cProfile's format, FILE.lprof with --lines for "
          "line_profiler's, FILE.txt for the report, FILE.svg, .png, .pdf or .dot for the "
          "graph; %s script, %n running number, %j job, %h host, %p pid and %r rank are "
          "filled in: cpu_%r.prof is a file per rank")
      ->type_name("RUN");
  CLI::Option* exact =
      command.add_flag("--exact", arguments->exact,
                       "Count and time every call, as cProfile does, instead of sampling");
  CLI::Option* callables =
      command
          .add_option(
              "--c-callables", arguments->c_callables,
              "With --exact, what is counted of what is not written in Python: builtin "
              "functions and methods, as cProfile does, or all callables, numpy's ufuncs and "
              "types among them (default: builtin)")
          ->type_name("WHICH")
          ->needs(exact);
  allow_only(line, callables, {"builtin", "all"});
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
  CLI::Option* memory =
      command
          .add_option("--memory", arguments->memory,
                      "Record which lines allocate and hold memory, beside time: sampled by bytes "
                      "(at a few per cent), exact for every block of malloc and every mapping, or "
                      "objects for every Python object too (default: sampled)")
          ->type_name("=HOW")
          ->expected(0, 1);
  allow_only(line, memory, {"sampled", "exact", "objects"});
  command
      .add_flag("--copies", arguments->copies,
                "With --memory, also how much each line copies: memcpy and its relatives are "
                "sampled by bytes")
      ->needs(memory);
  command
      .add_option("--region", arguments->regions,
                  "Time a function that cannot be edited as a named region, as "
                  "pyrometer.timed_function does: solve=fem.solver:solve; may be repeated")
      ->type_name("NAME=MOD:FN")
      ->allow_extra_args(false);
  command
      .add_option("--rate", arguments->rate,
                  "Samples per second and thread, 1 to 20000 (default: 200, less where that would "
                  "cost more than 1 %)")
      ->type_name("HZ")
      ->excludes(exact)
      ->check(CLI::Range(1, 20000).description(""));
  CLI::Option* clock =
      command
          .add_option("--clock", arguments->clock,
                      "What interrupts threads: perf, timer, trap or auto (default: auto). trap is "
                      "perf by SIGTRAP: a third cheaper at high rates, and not for programs whose "
                      "libraries handle SIGTRAP, as some that report crashes do")
          ->type_name("CLOCK")
          ->excludes(exact);
  allow_only(line, clock, {"auto", "perf", "timer", "trap"});
  command
      .add_option("--python", arguments->python,
                  "Interpreter for scripts, modules and code (default: python3)")
      ->type_name("EXE");
  command
      .add_option(
          "--ranks", arguments->ranks,
          "Of a launch, record only these ranks: 0,5-9,%16 is rank 0, ranks 5 to 9 and every "
          "sixteenth; the others run as they would without us")
      ->type_name("WHICH");
  CLI::Option* mpi = command.add_flag(
      "--mpi", arguments->mpi,
      "Time MPI calls, which happens anyway under a launcher: mpirun, srun, torchrun, ...");
  command
      .add_flag("--no-mpi", arguments->no_mpi, "Do not time MPI calls, whoever starts the ranks")
      ->excludes(mpi);
  command.add_flag("--paused", arguments->paused,
                   "Begin with a pause: each process is recorded once it calls pyrometer.resume()");
  command.add_flag("-q,--quiet", arguments->quiet, "No summary; failures are still told");
  command.add_flag("--replace", arguments->replace, "Let the run named with -o replace an old one");
  command.add_flag("--json", arguments->json,
                   "The summary as one JSON document, on standard error like all we say");
  command.parse_complete_callback([arguments, lines, memory] {
    if (memory->count() > 0 && arguments->memory.empty()) arguments->memory = "sampled";
    const bool wants_lines = derived_kind(arguments->output) == DerivedKind::kLprof;
    if (wants_lines && arguments->exact) {
      throw CLI::ValidationError("-o " + arguments->output,
                                 "holds lines, which --exact does not measure; leave it out");
    }
    arguments->lines = lines->count() > 0 || wants_lines;
    std::erase(arguments->line_targets, "");  // --lines alone
  });
  return command;
}

}  // namespace pyrometer
