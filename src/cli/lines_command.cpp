#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "base/wildcards.h"
#include "cli/command_line.h"
#include "cli/lines_inputs.h"
#include "cli/terminal.h"
#include "load/load.h"
#include "profile/source_file.h"
#include "record/run_directory.h"
#include "report/lines_text.h"
#include "report/memory_lines_text.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostSampledFunctions = 10;
constexpr std::size_t kMostNamesInError = 8;

struct LinesArguments {
  std::vector<std::string> words;      // profiles, then functions
  std::vector<std::string> functions;  // named by the option
  std::vector<std::string> columns;
  LinesOptions options;
  bool json = false;
};

constexpr std::pair<std::string_view, LineColumn> kColumns[] = {
    {"self", LineColumn::kSelf}, {"python", LineColumn::kPython},   {"native", LineColumn::kNative},
    {"wait", LineColumn::kWait}, {"samples", LineColumn::kSamples},
};

// CLI11 would name the largest number there is, digit by digit.
std::string above_zero(const std::string& text) {
  const double number = std::strtod(text.c_str(), nullptr);
  return number > 0 && std::isfinite(number) ? "" : "must be a number above 0";
}

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  for (const auto& [name, column] : kColumns) names.emplace_back(name);
  return names;
}

Result<std::vector<LineColumn>> parse_columns(const std::vector<std::string>& words) {
  std::vector<LineColumn> columns;
  for (const std::string& word : words) {
    const auto* found = std::find_if(std::begin(kColumns), std::end(kColumns),
                                     [&](const auto& entry) { return entry.first == word; });
    if (found == std::end(kColumns)) {
      return fail(ErrorCode::kUsage, "there is no column '{}'; choose of {}", word,
                  fmt::join(column_names(), ", "));
    }
    columns.push_back(found->second);
  }
  return columns;
}

// Whether a word behind the first one names a profile and not a function.
bool names_profile(const std::string& word) {
  if (word == kStandardStream) return true;
  for (const std::string_view extension : {".lprof", ".pyr", ".pyro", ".prof"}) {
    if (word.ends_with(extension)) return true;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(word, ignored)) return is_run_directory(word);
  return std::filesystem::exists(word, ignored);
}

// "name", "Class.name", "file.py:name", each with wildcards.
class FunctionFilter {
 public:
  explicit FunctionFilter(const std::string& word) {
    const std::size_t colon = word.rfind(':');
    if (colon != std::string::npos) file_ = word.substr(0, colon);
    name_ = colon == std::string::npos ? word : word.substr(colon + 1);
  }

  template <class Function>
  bool matches(const Function& function) const {
    return has_end(function.name, name_, '.') &&
           (file_.empty() || has_end(function.file, file_, '/'));
  }

 private:
  // Whether all of it, or all behind one of its separators, is as the pattern says.
  static bool has_end(std::string_view text, std::string_view pattern, char separator) {
    while (!matches_wildcards(pattern, text)) {
      const std::size_t found = text.find(separator);
      if (found == std::string_view::npos) return false;
      text.remove_prefix(found + 1);
    }
    return true;
  }

  std::string file_;
  std::string name_;
};

template <class Function>
Result<void> keep_named(const std::vector<std::string>& words, std::vector<Function>& functions) {
  if (words.empty()) return {};
  std::set<const Function*> kept;
  for (const std::string& word : words) {
    const FunctionFilter filter(word);
    bool any = false;
    for (const Function& function : functions) {
      if (!filter.matches(function)) continue;
      kept.insert(&function);
      any = true;
    }
    if (any) continue;
    std::vector<std::string> names;
    for (const Function& function : functions) {
      if (names.size() < kMostNamesInError) names.push_back(function.name);
    }
    return fail(ErrorCode::kNotFound, "no function or file is called '{}'; there are {}{}", word,
                fmt::join(names, ", "), functions.size() > names.size() ? ", ..." : "");
  }
  std::vector<Function> left;
  for (Function& function : functions) {
    if (kept.contains(&function)) left.push_back(std::move(function));
  }
  functions = std::move(left);
  return {};
}

// Of a sampled run, which saw hundreds of functions, those where the time is spent.
void keep_hottest(FunctionLinesTable& table) {
  const auto own_time = [](const FunctionLines& function) {
    std::int64_t sum = 0;
    for (const LineFigures& line : function.lines) sum += line.python + line.native + line.wait;
    return sum;
  };
  std::stable_sort(table.functions.begin(), table.functions.end(),
                   [&](const auto& a, const auto& b) { return own_time(a) > own_time(b); });
  table.functions.resize(std::min(table.functions.size(), kMostSampledFunctions));
}

Result<void> check_columns(const LinesOptions& options, const FunctionLinesTable& table) {
  for (const LineColumn column : options.columns) {
    if (column == LineColumn::kSelf && !table.has_self) {
      return fail(ErrorCode::kUsage,
                  "the times without callees are in recordings of 'pyrometer run --lines' only");
    }
    if (column != LineColumn::kSelf && !table.has_samples && !table.is_sampled) {
      return fail(ErrorCode::kUsage, "nothing was sampled; shares are in recordings that were");
    }
  }
  return {};
}

struct Lines {
  FunctionLinesTable table;
  std::vector<MemoryFunction> memory;  // in its place where memory was measured, not time
  std::map<std::string, std::vector<std::string>> sources;  // that came with the profile
};

Result<Lines> load_lines(const std::vector<Path>& paths) {
  Lines lines;
  PYROMETER_TRY(const std::optional<LprofFile> file, sum_if_lprof(paths));
  if (file) {
    lines.table = table_of(*file);
    if (!lines.table.functions.empty()) return lines;
    return fail(ErrorCode::kNotFound,
                "'{}' holds no functions; decorate those to measure with @profile, or record the "
                "program with 'pyrometer run --lines', which needs no decorators",
                paths.front().string());
  }
  ProgressLine progress;
  PYROMETER_TRY(const Profile profile,
                load_profile(paths, {Detail::kSummary, progress.listener()}));
  for (const std::string& note : profile.notes) print_error(note);
  if (!profile.find_metric(metric::kLineTime)) lines.memory = make_memory_lines(profile);
  lines.table = make_function_lines(profile);
  for (const auto& [name, source] : profile.sources) {
    if (!source.is_hash) {
      lines.sources[std::string(profile.text(name))] = split_source(source.content);
    }
  }
  if (!lines.table.functions.empty()) return lines;
  return fail(ErrorCode::kNotFound,
              "'{}' holds no lines; record the program with 'pyrometer run --lines'",
              paths.front().string());
}

Result<std::string> lines_report(const LinesArguments& arguments) {
  LinesOptions options = arguments.options;
  PYROMETER_TRY(options.columns, parse_columns(arguments.columns));
  std::vector<std::string> profiles;
  std::vector<std::string> functions = arguments.functions;
  for (const std::string& word : arguments.words) {
    const bool is_profile = profiles.empty() || names_profile(word);
    (is_profile ? profiles : functions).push_back(word);
  }
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(profiles));
  PYROMETER_TRY(Lines lines, load_lines(paths));
  const ReadSource sources = [&](const std::string& name) {
    const auto found = lines.sources.find(name);
    return found == lines.sources.end() ? read_source(name) : found->second;
  };
  if (!lines.memory.empty()) {
    PYROMETER_TRY_VOID(keep_named(functions, lines.memory));
    return arguments.json ? memory_lines_json(lines.memory, sources)
                          : memory_lines_text(lines.memory, sources);
  }
  PYROMETER_TRY_VOID(check_columns(options, lines.table));
  PYROMETER_TRY_VOID(keep_named(functions, lines.table.functions));
  if (lines.table.is_sampled && !arguments.json) {
    if (functions.empty()) keep_hottest(lines.table);
    print_error(
        "lines were sampled, not measured: times are estimates, and there are no hits; "
        "'pyrometer run --lines' counts and times every line");
  }
  return arguments.json ? lines_json(lines.table, options, sources)
                        : lines_text(lines.table, options, sources);
}

Result<void> run_lines(const LinesArguments& arguments) {
  PYROMETER_TRY(const std::string text, lines_report(arguments));
  return write_to_stdout(text);
}

}  // namespace

void add_lines_command(CommandLine& line) {
  auto arguments = std::make_shared<LinesArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "lines", "Hits and time of every line, in the layout of line_profiler");
  command
      .add_option("PROFILE", arguments->words,
                  "Profiles as of the other commands, added up; words that are none name the "
                  "functions to show: name, Class.name, file.py:name, with wildcards")
      ->required()
      ->type_name("");
  LinesOptions& options = arguments->options;
  command.add_option("-f,--function", arguments->functions, "Function to show; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("-u,--unit", options.unit, "Unit of times in seconds (default: 1e-6)")
      ->type_name("SECONDS")
      ->check(above_zero);
  command.add_flag("-z,--skip-zero", options.skip_zero, "No functions that have not been called");
  command.add_flag("-t,--sort", options.sort, "By ascending total time");
  command.add_flag("-m,--summarize", options.summarize, "Then the total time of each function");
  command.add_flag("-r,--rich", options.rich, "In colours");
  command.add_flag("--statements", options.statements,
                   "Statements in place of lines: those over several lines are counted once");
  CLI::Option* columns =
      command
          .add_option("--columns", arguments->columns,
                      fmt::format("More columns, with commas: {}", fmt::join(column_names(), ", ")))
          ->type_name("NAMES")
          ->delimiter(',')
          ->allow_extra_args(false);
  line.choices[columns] = column_names();
  command.add_flag("--json", arguments->json, "The same as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_lines(*arguments); }; });
}

}  // namespace pyrometer
