#include "cli/command_line.h"

#include <algorithm>
#include <sstream>

#include "base/wildcards.h"
#include "cli/run_target.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"

#ifndef PYROMETER_VERSION
#error "the build defines PYROMETER_VERSION"
#endif

namespace pyrometer {
namespace {

// Which options need or exclude each other is said in their descriptions, in words.
class PlainFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = Formatter::make_option_opts(option);
    for (const char* relation : {" Needs:", " Excludes:"}) {
      text.resize(std::min(text.size(), text.find(relation)));
    }
    return text;
  }
};

struct Command {
  std::string_view name;
  void (*add)(CommandLine&);
};
constexpr Command kCommands[] = {
    {"run", add_run_command},
    {"view", add_view_command},
    {"report", add_report_command},
    {"lines", add_lines_command},
    {"memory", add_memory_command},
    {"export", add_export_command},
    {"ranks", add_ranks_command},
    {"graph", add_graph_command},
    {"diff", add_diff_command},
    {"scale", add_scale_command},
    {"merge", add_merge_command},
    {"dump", add_dump_command},
    {"completion", add_completion_command},
    {"manual", add_manual_command},
};

constexpr int kUsageStatus = 2;
constexpr int kFailureStatus = 1;

// "Could not convert: --limit = abc" in words; what is not of that form stays.
std::string in_words(std::string message) {
  constexpr std::string_view kConversion = "Could not convert: ";
  const std::size_t equals = message.find(" = ");
  if (!message.starts_with(kConversion) || equals == std::string::npos) return message;
  const std::string option = message.substr(kConversion.size(), equals - kConversion.size());
  return fmt::format("'{}' is nothing that {} takes", message.substr(equals + 3), option);
}

// CLI11's messages as one sentence that ends with the remedy.
int report_usage_error(const CLI::App& app, const CLI::ParseError& error,
                       std::span<char* const> own_words) {
  const std::string_view first_argument = own_words[1];
  std::string command = "pyrometer";
  for (const CLI::App* sub : app.get_subcommands()) command += " " + sub->get_name();
  std::string message = in_words(error.what());
  while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
  if (app.get_subcommands().empty() && !first_argument.starts_with('-')) {
    message = fmt::format("there is no command '{}'", first_argument);
  }
  const bool is_unknown = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  const std::string_view pythons =
      is_unknown && first_argument == "run" ? option_of_python(own_words) : "";
  if (!pythons.empty()) {
    print_error(
        fmt::format("{} is an option of Python, which then has to be named: "
                    "pyrometer run -- python3 {} ...; see 'pyrometer run --help'",
                    pythons, pythons));
    return kUsageStatus;
  }
  print_error(fmt::format("{}; see '{} --help'", message, command));
  return kUsageStatus;
}

int status_of(const Result<void>& done, int good = 0) {
  if (done) return good;
  print_error(done.error().message);
  return done.error().code == ErrorCode::kUsage ? kUsageStatus : kFailureStatus;
}

}  // namespace

void allow_only(CommandLine& line, CLI::Option* option, const std::vector<std::string>& words) {
  line.choices[option] = words;
  std::vector<std::string> allowed = words;
  if (option->get_expected_min() == 0) allowed.emplace_back();
  option->check(CLI::IsMember(allowed).description(""));
}

CLI::Option* add_profiles(CLI::App& command, std::vector<std::string>& names) {
  return command
      .add_option("PROFILE", names,
                  "Run directories, recordings (.pyr), merged files (.pyro), or files of cProfile, "
                  "line_profiler, py-spy, speedscope, pprof, callgrind, TAU and others; quoted "
                  "wildcards are filled in, - is standard input")
      ->required()
      ->type_name("");
}

Result<std::vector<Path>> find_profiles(const std::vector<std::string>& names) {
  std::vector<Path> paths;
  for (const std::string& name : names) {
    if (name == kStandardStream) {
      PYROMETER_TRY(const Path path, standard_input_file());
      paths.push_back(path);
      continue;
    }
    std::error_code ignored;
    // A file of that very name comes first: there may be brackets in it.
    if (!has_wildcards(name) || std::filesystem::exists(name, ignored)) {
      paths.emplace_back(name);
      continue;
    }
    const std::vector<Path> found = find_paths(name);
    if (found.empty()) return fail(ErrorCode::kNotFound, "no file matches '{}'", name);
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

std::unique_ptr<CommandLine> make_command_line(std::string_view command) {
  auto line = std::make_unique<CommandLine>();
  line->app.name("pyrometer");
  line->app.description("Tells where Python programs run hot.");
  line->app.set_version_flag("--version", "pyrometer " PYROMETER_VERSION,
                             "Print the version and exit");
  line->app.set_help_flag("-h,--help", "Print this help and exit");
  line->app.formatter(std::make_shared<PlainFormatter>());
  line->app.require_subcommand(1);
  line->app.get_formatter()->column_width(30);
  line->app.footer("'pyrometer COMMAND --help' explains a command.");
  const auto* const wanted = std::ranges::find(kCommands, command, &Command::name);
  if (wanted != std::end(kCommands)) {
    wanted->add(*line);
  } else {
    for (const Command& each : kCommands) each.add(*line);
  }
  return line;
}

int run_command_line(int argc, char** argv) {
  if (argc == 1) {
    print_error("no command given; 'pyrometer --help' lists them");
    return kUsageStatus;
  }
  const std::unique_ptr<CommandLine> line = make_command_line(argv[1]);
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::size_t own = count_own_words(line->app, words);
  line->program.assign(words.begin() + static_cast<std::ptrdiff_t>(own), words.end());
  try {
    line->app.parse(static_cast<int>(own), argv);
  } catch (const CLI::Success& success) {  // --help or --version
    std::ostringstream text;
    line->app.exit(success, text, text);
    return status_of(write_to_stdout(text.str()));
  } catch (const CLI::ParseError& error) {
    return report_usage_error(line->app, error, words.first(own));
  }
  try {
    const Result<void> done = line->action();
    return status_of(done, line->status);
  } catch (const std::bad_alloc&) {
    print_error("there is not enough memory for this profile; merge it on a larger machine first");
    return kFailureStatus;
  }
}

}  // namespace pyrometer
