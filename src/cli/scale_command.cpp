#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/rank_costs.h"
#include "cli/comparison.h"
#include "cli/picture_file.h"
#include "cli/row_options.h"
#include "cli/scale_inputs.h"
#include "cli/terminal.h"
#include "report/scale_report.h"

namespace pyrometer {
namespace {

constexpr std::size_t kDefaultLimit = 20;

struct ScaleArguments {
  std::vector<std::string> runs;
  ComparisonArguments comparison;
  bool self = false;
  bool weak = false;
  std::string time = "max";
  std::optional<std::int64_t> reference;
  std::string order = "time";
  std::string field = "speedup";
  std::string format = "text";
  bool scaled = false;
  RowLimit limit;
  std::string plot;
  bool json = false;
};

constexpr ScalingOrder kOrders[] = {ScalingOrder::kTime, ScalingOrder::kHits, ScalingOrder::kPerHit,
                                    ScalingOrder::kPercent, ScalingOrder::kLoss};
constexpr ScalingField kFields[] = {ScalingField::kSpeedup, ScalingField::kEfficiency,
                                    ScalingField::kTime,    ScalingField::kHits,
                                    ScalingField::kSerial,  ScalingField::kLoss};

using Writer = std::string (*)(const Scaling&, const ScaleReportOptions&);
struct Format {
  std::string_view name;
  Writer write;
};
constexpr Format kFormats[] = {
    {"text", scale_text}, {"csv", scale_csv}, {"kratos", scale_kratos}, {"json", scale_json}};

std::string_view name_of(const Format& format) { return format.name; }

template <class Word>
std::vector<std::string> names_of(const Word& words) {
  std::vector<std::string> names;
  for (const auto& word : words) names.emplace_back(name_of(word));
  return names;
}

template <class Word, std::size_t Count>
Result<Word> parse_word(const Word (&words)[Count], std::string_view text, std::string_view what) {
  for (const Word& word : words) {
    if (name_of(word) == text) return word;
  }
  return fail(ErrorCode::kUsage, "there is no {} '{}'; choose one of {}", what, text,
              fmt::join(names_of(words), ", "));
}

Result<Scaling> measure(const ScaleArguments& arguments, const ScalingOptions& options,
                        RunSources& sources) {
  PYROMETER_TRY(const std::vector<ScaleInput> inputs, parse_scale_inputs(arguments.runs));
  CostChoice choice{.lines = arguments.comparison.lines,
                    .self = arguments.self,
                    .metric = arguments.comparison.metric};
  std::vector<ScalingRun> runs;
  for (const ScaleInput& input : inputs) {
    PYROMETER_TRY(const Profile profile, load_run(input.paths, sources));
    // What the first one is, all must be.
    if (runs.empty() && !arguments.comparison.functions && choice.metric.empty()) {
      choice.lines = choice.lines || has_exact_lines(profile);
    }
    PYROMETER_TRY(const CostSource source, find_cost_source(profile, choice));
    const std::int64_t count = input.count.value_or(count_of_processes(profile));
    runs.push_back({count, input.name, make_rank_costs(profile, source)});
  }
  return make_scaling(std::move(runs), options);
}

Result<void> run_scale(const ScaleArguments& arguments) {
  ScaleReportOptions options{.scaled = arguments.scaled, .use_color = use_color_on_stdout()};
  PYROMETER_TRY(options.order, parse_word(kOrders, arguments.order, "order"));
  PYROMETER_TRY(options.field, parse_word(kFields, arguments.field, "field"));
  PYROMETER_TRY(const Format format,
                parse_word(kFormats, arguments.json ? "json" : arguments.format, "format"));
  if (!arguments.plot.empty()) PYROMETER_TRY_VOID(check_picture_name(arguments.plot));
  options.limit = arguments.limit.rows(kDefaultLimit);

  RunSources sources;
  const RankTime time = arguments.time == "sum" ? RankTime::kSum : RankTime::kMax;
  PYROMETER_TRY(Scaling scaling,
                measure(arguments, {arguments.weak, time, arguments.reference}, sources));
  sort_rows(scaling, options.order);
  options.text = [&](const CostRow& row) { return sources.line(row.path, row.line); };
  if (!arguments.plot.empty()) {
    PYROMETER_TRY_VOID(write_picture(arguments.plot, scale_plot(scaling, options)));
  }
  return write_to_stdout(format.write(scaling, options));
}

void add_row_options(CommandLine& line, CLI::App& command, ScaleArguments& arguments) {
  CLI::Option* order =
      command
          .add_option("-s,--by", arguments.order,
                      fmt::format("The most expensive rows by {}, at the largest count "
                                  "(default: time)",
                                  fmt::join(names_of(kOrders), ", ")))
          ->type_name("KEY");
  line.choices[order] = names_of(kOrders);
  CLI::Option* field =
      command
          .add_option("--field", arguments.field,
                      fmt::format("What is shown for every count: {} (default: speedup)",
                                  fmt::join(names_of(kFields), ", ")))
          ->type_name("NAME");
  line.choices[field] = names_of(kFields);
  command.add_flag("--scaled", arguments.scaled,
                   "Scaled to the reference: perfect speed-ups equal the count, perfect times are "
                   "the same for all");
  add_row_limit(command, arguments.limit, std::to_string(kDefaultLimit));
}

}  // namespace

void add_scale_command(CommandLine& line) {
  auto arguments = std::make_shared<ScaleArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "scale", "How a program scales over counts of processes, by function or line");
  command
      .add_option("RUN", arguments->runs,
                  "COUNT=PROFILE, quoted wildcards stand for the files of its ranks: 2=a.lprof "
                  "4='four/*.lprof'; or profiles that know their count")
      ->required()
      ->type_name("");
  add_comparison_options(command, arguments->comparison);
  command.add_flag("--self", arguments->self, "Own times, without callees");
  command.add_flag("--weak", arguments->weak,
                   "Weak scaling: the work grows with the count, and the ideal time is the same");
  CLI::Option* time = command
                          .add_option("--time", arguments->time,
                                      "Of several ranks: max, the slowest (default), or sum")
                          ->type_name("max|sum");
  allow_only(line, time, {"max", "sum"});
  command
      .add_option("--reference", arguments->reference,
                  "The count that others are compared with (default: the smallest)")
      ->type_name("COUNT");
  add_row_options(line, command, *arguments);
  CLI::Option* format =
      command
          .add_option("-F,--format", arguments->format,
                      "text, csv, json, or kratos: file:function:line:content|value per "
                      "count|...|seconds|hits")
          ->type_name("FORMAT");
  line.choices[format] = names_of(kFormats);
  command.add_flag("--json", arguments->json, "The same as --format json");
  command
      .add_option("--plot", arguments->plot,
                  "Also draw the speed-ups, or with --field efficiency those: FILE.svg or FILE.png")
      ->type_name("FILE");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_scale(*arguments); }; });
}

}  // namespace pyrometer
