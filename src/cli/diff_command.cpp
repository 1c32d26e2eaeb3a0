#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/change_limit.h"
#include "base/pattern.h"
#include "cli/comparison.h"
#include "cli/row_options.h"
#include "cli/terminal.h"
#include "report/diff_report.h"
#include "report/diff_version.h"

namespace pyrometer {
namespace {

constexpr std::size_t kDefaultLimit = 20;
constexpr int kSlowerStatus = 3;

struct DiffArguments {
  std::vector<std::string> words;
  std::vector<std::string> before, after;
  std::vector<std::string> functions;
  ComparisonArguments comparison;
  bool total = false;
  std::string sort = "change";
  std::string fail_above;
  RowLimit limit;
  bool all = false;
  bool normalise = false;
  bool json = false;
};

constexpr std::pair<std::string_view, DiffSort> kSorts[] = {
    {"change", DiffSort::kChange}, {"relative", DiffSort::kRelative}, {"before", DiffSort::kBefore},
    {"after", DiffSort::kAfter},   {"name", DiffSort::kName},
};

std::vector<std::string> sort_names() {
  std::vector<std::string> names;
  for (const auto& [name, sort] : kSorts) names.emplace_back(name);
  return names;
}

Result<DiffSort> parse_sort(std::string_view word) {
  for (const auto& [name, sort] : kSorts) {
    if (name == word) return sort;
  }
  return fail(ErrorCode::kUsage, "there is no order '{}'; choose one of {}", word,
              fmt::join(sort_names(), ", "));
}

struct Sides {
  std::vector<Path> before, after;
};

Result<Sides> find_sides(const DiffArguments& arguments) {
  Sides sides;
  const bool has_options = !arguments.before.empty() || !arguments.after.empty();
  if (has_options && (arguments.before.empty() || arguments.after.empty())) {
    return fail(ErrorCode::kUsage, "--before and --after belong together; name profiles for both");
  }
  if (has_options == !arguments.words.empty() || (!has_options && arguments.words.size() != 2)) {
    return fail(ErrorCode::kUsage,
                "diff compares two profiles: BEFORE AFTER; for several runs of each write "
                "--before A B --after C D");
  }
  if (has_options) {
    PYROMETER_TRY(sides.before, find_profiles(arguments.before));
    PYROMETER_TRY(sides.after, find_profiles(arguments.after));
    return sides;
  }
  PYROMETER_TRY(sides.before, find_profiles({arguments.words[0]}));
  PYROMETER_TRY(sides.after, find_profiles({arguments.words[1]}));
  return sides;
}

// One version: each path is a run of it.
Result<DiffVersion> load_version(const std::vector<Path>& paths, const DiffArguments& arguments) {
  DiffVersion version;
  const DiffChoice choice{.lines = arguments.comparison.lines,
                          .total = arguments.total,
                          .metric = arguments.comparison.metric};
  for (const Path& path : paths) {
    PYROMETER_TRY(const Profile profile, load_run(std::span(&path, 1), version.sources));
    PYROMETER_TRY_VOID(version.add_run(profile, choice));
  }
  return version;
}

Result<std::vector<Pattern>> parse_patterns(const std::vector<std::string>& words) {
  std::vector<Pattern> patterns;
  for (const std::string& word : words) {
    PYROMETER_TRY(Pattern pattern, Pattern::parse(word));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

Result<void> keep_functions(const std::vector<std::string>& words, std::vector<DiffRow>& rows) {
  PYROMETER_TRY(const std::vector<Pattern> patterns, parse_patterns(words));
  if (patterns.empty()) return {};
  std::erase_if(rows, [&](const DiffRow& row) {
    const std::string place = fmt::format("{}:{}", row.file, row.first_line);
    return std::none_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
      return pattern.matches(row.name) || pattern.matches(place);
    });
  });
  if (!rows.empty()) return {};
  return fail(ErrorCode::kNotFound, "no function matches '{}'", fmt::join(words, "' or '"));
}

// The rows that --fail-above is about, and grew beyond it.
Result<std::optional<bool>> judge(const DiffArguments& arguments, const Diff& diff) {
  if (arguments.fail_above.empty()) return std::nullopt;
  PYROMETER_TRY(const ChangeLimit limit,
                ChangeLimit::parse(arguments.fail_above, diff.metric.unit));
  if (arguments.functions.empty() && arguments.normalise) {
    return fail(ErrorCode::kUsage,
                "with --normalise the totals are equal; name what --fail-above is about with "
                "--function");
  }
  const auto say = [&](std::string_view name, const DiffRow& row) {
    const auto relative = row.relative();
    print_error(fmt::format("{} became slower than --fail-above {} allows: {}{}", name,
                            arguments.fail_above, format_change(diff.metric.unit, row.change()),
                            relative ? fmt::format(" ({:+.1f} %)", 100 * *relative) : ""));
  };
  if (arguments.functions.empty()) {
    const bool is_slower = limit.is_exceeded(diff.total);
    if (is_slower) say("the program", diff.total);
    return is_slower;
  }
  bool any = false;
  for (const DiffRow& row : diff.rows) {
    if (!limit.is_exceeded(row)) continue;
    say(row.line == 0 ? row.name : fmt::format("{} line {}", row.name, row.line), row);
    any = true;
  }
  return any;
}

Result<void> run_diff(const DiffArguments& arguments, int& status) {
  PYROMETER_TRY(const DiffSort sort, parse_sort(arguments.sort));
  PYROMETER_TRY_VOID(parse_patterns(arguments.functions));
  PYROMETER_TRY(const Sides sides, find_sides(arguments));
  PYROMETER_TRY(DiffVersion before, load_version(sides.before, arguments));
  PYROMETER_TRY(DiffVersion after, load_version(sides.after, arguments));
  PYROMETER_TRY(Diff diff, compare_versions(before, after, arguments.normalise));
  PYROMETER_TRY_VOID(keep_functions(arguments.functions, diff.rows));
  sort_rows(diff.rows, sort);
  add_missing_texts(diff, after);
  PYROMETER_TRY(const std::optional<bool> has_failed, judge(arguments, diff));
  if (has_failed.value_or(false)) status = kSlowerStatus;
  if (arguments.json) return write_to_stdout(diff_json(diff, has_failed));
  DiffReportOptions options{.all = arguments.all, .use_color = use_color_on_stdout()};
  options.limit = arguments.limit.rows(kDefaultLimit);
  return write_to_stdout(diff_text(diff, options));
}

}  // namespace

void add_diff_command(CommandLine& line) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "diff", "What became slower or faster between two profiles, by function or line");
  command.add_option("PROFILE", arguments->words, "The profile before, and the one after")
      ->type_name("");
  command
      .add_option("--before", arguments->before,
                  "Several runs of the version before, in place of PROFILE; their mean counts")
      ->type_name("PROFILE");
  command.add_option("--after", arguments->after, "Several runs of the version after")
      ->type_name("PROFILE");
  add_comparison_options(command, arguments->comparison);
  command.add_flag("--total", arguments->total,
                   "Values with callees; otherwise own ones, but for measured lines");
  command.add_flag("--normalise", arguments->normalise,
                   "Compare shares: as if both had taken the same time as a whole");
  CLI::Option* sort = command
                          .add_option("-s,--sort", arguments->sort,
                                      fmt::format("Order of the rows: {} (default: change)",
                                                  fmt::join(sort_names(), ", ")))
                          ->type_name("KEY");
  line.choices[sort] = sort_names();
  add_row_limit(command, arguments->limit, std::to_string(kDefaultLimit));
  command.add_flag("-a,--all", arguments->all, "Also rows that did not change beyond noise");
  command
      .add_option("-f,--function", arguments->functions,
                  "Only functions whose name or place matches; may be repeated")
      ->type_name("REGEX")
      ->allow_extra_args(false);
  command
      .add_option("--fail-above", arguments->fail_above,
                  "End with status 3 when the whole, or a function of --function, became slower by "
                  "more: 5%, 0.5s, 20ms")
      ->type_name("LIMIT");
  command.add_flag("--json", arguments->json, "The same as one JSON document, with all rows");
  command.callback([&line, arguments] {
    line.action = [&line, arguments] { return run_diff(*arguments, line.status); };
  });
}

}  // namespace pyrometer
