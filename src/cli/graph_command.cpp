#include <fmt/ranges.h>

#include "base/format_value.h"
#include "base/printable.h"
#include "cli/command_line.h"
#include "cli/graph_drawing.h"
#include "cli/row_options.h"
#include "cli/terminal.h"
#include "cli/with_regions.h"

namespace pyrometer {
namespace {

// Beyond a few hundred boxes a picture takes Graphviz minutes and is no picture any more.
constexpr std::size_t kDefaultMostNodes = 100;
constexpr double kPercent = 100;

struct GraphArguments {
  std::vector<std::string> profiles;
  std::string output;
  std::string theme = "color";
  std::string time_format = "%.7g";
  std::string list;
  std::vector<std::string> node_labels, fold;
  double node_percent = 0.5;
  double edge_percent = 0.1;
  double skew = 1;
  std::int64_t depth = -1;  // negative: any
  std::size_t most_nodes = kDefaultMostNodes;
  bool compare = false;
  bool per_rank = false;
  GraphRequest request;
};

struct LabelName {
  std::string_view name;
  NodeLabel label;
};
constexpr LabelName kLabels[] = {
    {"self-time", NodeLabel::kSelfTime},
    {"self-time-percentage", NodeLabel::kSelfPercentage},
    {"total-time", NodeLabel::kTotalTime},
    {"total-time-percentage", NodeLabel::kTotalPercentage},
};

std::string label_names() {
  std::string names;
  for (const LabelName& label : kLabels) {
    names += (names.empty() ? "" : ", ") + std::string(label.name);
  }
  return names;
}

Result<NodeLabel> find_label(std::string_view name) {
  for (const LabelName& label : kLabels) {
    if (label.name == name) return label.label;
  }
  return fail(ErrorCode::kUsage, "there is no label '{}'; choose one of {}", name, label_names());
}

bool goes_to_stdout(const GraphArguments& arguments) {
  return arguments.output.empty() || arguments.output == kStandardStream;
}

Result<void> check_output(const GraphArguments& arguments) {
  const bool json = arguments.request.json;
  if (!arguments.list.empty()) return {};
  if (arguments.per_rank && goes_to_stdout(arguments)) {
    return fail(ErrorCode::kUsage,
                "--per-rank writes several files; name them, as with -o 'graph-%r.svg'");
  }
  if (!goes_to_stdout(arguments)) return check_picture_name(arguments.output, json);
  if (arguments.output.empty() && !json && stdout_is_terminal()) {
    return fail(ErrorCode::kUsage,
                "a graph is no text to read; draw it with -o graph.svg (or .png, .pdf, .dot), or "
                "pipe it into Graphviz's dot");
  }
  return {};
}

Result<GraphRequest> make_request(const GraphArguments& arguments) {
  GraphRequest request = arguments.request;
  request.json = request.json || arguments.output.ends_with(".json");
  request.pruning.least_node_share = arguments.node_percent / kPercent;
  request.pruning.least_edge_share = arguments.edge_percent / kPercent;
  request.pruning.most_nodes = arguments.list.empty() ? arguments.most_nodes : 0;
  if (arguments.depth >= 0) request.pruning.depth = static_cast<std::size_t>(arguments.depth);
  PYROMETER_TRY(request.dot.theme, find_graph_theme(arguments.theme));
  if (arguments.skew <= 0) {
    return fail(ErrorCode::kUsage,
                "--skew must be above 0; below 1 it spreads the colours of small percentages, "
                "above 1 those of large ones");
  }
  request.dot.theme.skew = arguments.skew;
  PYROMETER_TRY(request.dot.time_format, TimeFormat::parse(arguments.time_format));
  if (!arguments.node_labels.empty()) request.dot.node_labels.clear();
  for (const std::string& name : arguments.node_labels) {
    PYROMETER_TRY(const NodeLabel label, find_label(name));
    request.dot.node_labels.push_back(label);
  }
  for (const std::string& text : arguments.fold) {
    PYROMETER_TRY(Pattern pattern, Pattern::parse(text));
    request.folding.also.push_back(std::move(pattern));
  }
  return request;
}

struct LoadedGraph {
  ShareGraph graph;
  std::vector<std::string> notes;
};

Result<LoadedGraph> load_graph(std::span<const Path> paths, const GraphRequest& request) {
  ProgressLine progress;
  PYROMETER_TRY(const Profile profile,
                load_paths(paths, request.with_regions, {Detail::kSummary, progress.listener()}));
  std::vector<std::string> notes = profile.notes;
  PYROMETER_TRY(const std::optional<Profile> folded, fold_for_graph(profile, request, notes));
  PYROMETER_TRY(ShareGraph graph, graph_of(folded ? *folded : profile, request));
  return LoadedGraph{std::move(graph), std::move(notes)};
}

Result<LoadedGraph> load_comparison(std::span<const Path> paths, const GraphRequest& request) {
  if (paths.size() != 2) {
    return fail(ErrorCode::kUsage, "--compare takes two profiles, the first and the second, not {}",
                paths.size());
  }
  PYROMETER_TRY(LoadedGraph first, load_graph(paths.first(1), request));
  PYROMETER_TRY(const LoadedGraph second, load_graph(paths.last(1), request));
  first.notes.insert(first.notes.end(), second.notes.begin(), second.notes.end());
  return LoadedGraph{compare_graphs(first.graph, second.graph), std::move(first.notes)};
}

// Names for --root and --leaf; with a leading % also what is known of each.
Result<void> list_functions(ShareGraph graph, const GraphRequest& request, std::string pattern) {
  PYROMETER_TRY_VOID(prune_graph(graph, request.pruning));
  const bool with_details = pattern.starts_with('%');
  if (with_details) pattern.erase(0, 1);
  if (pattern == "+" || pattern.empty()) pattern = "*";
  std::string text;
  for (const std::uint32_t row : find_nodes(graph, pattern)) {
    const GraphNode& node = graph.nodes[row];
    text += printable(node.name);
    if (with_details) {
      const GraphFigures figures = node.first.value_or(GraphFigures{});
      text += fmt::format("\ttotal {} ({:.2f}%)\tself {} ({:.2f}%)\t{} calls\t{}",
                          format_value(graph.unit, figures.total), figures.total_share * kPercent,
                          format_value(graph.unit, figures.self), figures.self_share * kPercent,
                          format_count(figures.calls), printable(node.file));
    }
    text += '\n';
  }
  if (text.empty()) {
    return fail(ErrorCode::kNotFound,
                "no function in the graph is called '{}'; -n 0 -e 0 keeps the light ones too",
                pattern);
  }
  return write_to_stdout(text);
}

void say_what_is_hidden(const Drawing& drawing, std::size_t limit) {
  if (drawing.hidden.too_many > 0) {
    print_error(fmt::format(
        "the graph shows the {} heaviest of {} functions; --max-nodes 0 shows all (Graphviz may "
        "take minutes), -n 1 or --root NAME leave out more",
        limit, format_count(static_cast<std::int64_t>(drawing.shown + drawing.hidden.too_many))));
  } else if (drawing.shown == 0) {
    print_error(fmt::format("the graph is empty: all {} were left out; -n 0 keeps the light ones",
                            format_plural(drawing.hidden.all(), "function", "functions")));
  }
}

Result<void> run_per_rank(const GraphArguments& arguments, std::span<const Path> paths,
                          const GraphRequest& request) {
  PYROMETER_TRY(const PerRankOutcome outcome, draw_per_rank(paths, arguments.output, request));
  for (const std::string& note : outcome.notes) print_error(note);
  std::string text;
  for (const std::string& name : outcome.written) text += printable(name) + "\n";
  return write_to_stdout(text);
}

Result<void> run_graph(const GraphArguments& arguments) {
  PYROMETER_TRY_VOID(check_output(arguments));
  PYROMETER_TRY(const GraphRequest request, make_request(arguments));
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  if (arguments.per_rank) return run_per_rank(arguments, paths, request);
  PYROMETER_TRY(LoadedGraph loaded,
                arguments.compare ? load_comparison(paths, request) : load_graph(paths, request));
  for (const std::string& note : loaded.notes) print_error(note);
  if (!arguments.list.empty()) {
    return list_functions(std::move(loaded.graph), request, arguments.list);
  }
  PYROMETER_TRY(const Drawing drawing, draw_graph(std::move(loaded.graph), request));
  if (!request.json) say_what_is_hidden(drawing, arguments.most_nodes);
  if (goes_to_stdout(arguments)) return write_to_stdout(drawing.text);
  PYROMETER_TRY(const std::string remark, write_picture(arguments.output, drawing));
  if (!remark.empty()) print_error(remark);
  return {};
}

// Which functions and calls are drawn.
void add_pruning_options(CLI::App& command, GraphArguments& arguments) {
  GraphPruning& pruning = arguments.request.pruning;
  command
      .add_option("-n,--node-thres", arguments.node_percent,
                  "Leave out functions whose total is below this percentage (default: 0.5)")
      ->type_name("PERCENT");
  command
      .add_option("-e,--edge-thres", arguments.edge_percent,
                  "Leave out calls whose total is below this percentage (default: 0.1)")
      ->type_name("PERCENT");
  command
      .add_option("--max-nodes", arguments.most_nodes,
                  "Draw only the heaviest functions, 0 for all (default: 100)")
      ->check(check_not_negative)
      ->type_name("N");
  command
      .add_option("-z,--root", pruning.root,
                  "Only functions of this name and what they call; * ? [a-z] are wildcards")
      ->type_name("NAME");
  command.add_option("-l,--leaf", pruning.leaf, "Only functions of this name and what calls them")
      ->type_name("NAME");
  command
      .add_option("--depth", arguments.depth,
                  "So many calls away from --root or --leaf, else from where the program began")
      ->type_name("N");
  command
      .add_option("-p,--path", pruning.paths,
                  "Only functions of files that begin so; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command.add_flag("--fold-wrappers", arguments.request.folding.wrappers,
                   "Without timing decorators and other wrappers that only pass calls on");
  command
      .add_option("--fold", arguments.fold,
                  "Without functions whose name or place matches: they are their caller's; may be "
                  "repeated")
      ->type_name("RE")
      ->allow_extra_args(false);
  command
      .add_option("--list-functions", arguments.list,
                  "Print the names that match, for --root and --leaf: '*' all, '%*' with details")
      ->type_name("NAME");
}

// How they are drawn.
void add_drawing_options(CommandLine& line, CLI::App& command, GraphArguments& arguments) {
  DotOptions& dot = arguments.request.dot;
  std::string themes = "Colour map:";
  for (const GraphTheme& theme : graph_themes()) {
    themes += fmt::format("\n{} ({})", theme.name, theme.description);
  }
  CLI::Option* theme =
      command.add_option("-c,--colormap,--colourmap", arguments.theme, themes)->type_name("MAP");
  for (const GraphTheme& known : graph_themes()) line.choices[theme].emplace_back(known.name);
  command.add_flag("--colour-nodes-by-selftime,--color-nodes-by-selftime",
                   arguments.request.pruning.weigh_by_self,
                   "Colours show self time, of the largest one, instead of total time");
  command
      .add_option("--skew", arguments.skew,
                  "Below 1: more colours for small percentages; above 1: fewer (default: 1)")
      ->type_name("X");
  CLI::Option* labels =
      command
          .add_option("--node-label", arguments.node_labels,
                      fmt::format("What stands in the boxes: {}; may be repeated (default: "
                                  "total-time-percentage and self-time-percentage)",
                                  label_names()))
          ->type_name("LABEL")
          ->allow_extra_args(false);
  for (const LabelName& label : kLabels) line.choices[labels].emplace_back(label.name);
  command
      .add_option("--time-format", arguments.time_format,
                  "How times are printed, in seconds (default: %.7g)")
      ->type_name("FORMAT");
  command.add_flag("--show-samples", dot.show_samples, "Also how many samples saw each function");
  command.add_flag("-s,--strip", dot.strip,
                   "C++ names without parameters, template arguments and const");
  command.add_flag("-w,--wrap", dot.wrap, "Break long names into lines");
}

void add_comparison_options(CLI::App& command, GraphArguments& arguments) {
  DotOptions& dot = arguments.request.dot;
  CLI::Option* compare = command.add_flag("--compare", arguments.compare,
                                          "One graph of two profiles, with what has changed");
  command
      .add_option("--compare-tolerance", dot.tolerance,
                  "Changes below so many percentage points are none (default: 0.001)")
      ->type_name("PERCENT")
      ->needs(compare);
  CLI::Option* slower = command
                            .add_flag("--compare-only-slower", dot.only_slower,
                                      "Mark only functions that the second has more of")
                            ->needs(compare);
  command
      .add_flag("--compare-only-faster", dot.only_faster,
                "Mark only functions that the second has less of")
      ->needs(compare)
      ->excludes(slower);
  command
      .add_flag("--compare-colour-by-difference,--compare-color-by-difference",
                dot.color_by_difference, "Colours show how much has changed")
      ->needs(compare);
  CLI::Option* per_rank =
      command.add_flag("--per-rank", arguments.per_rank,
                       "A graph per rank, or per file without ranks: -o 'graph-%r.svg' with %r "
                       "rank, %n running number, %f the input file's name");
  per_rank->excludes(compare);
}

}  // namespace

void add_graph_command(CommandLine& line) {
  auto arguments = std::make_shared<GraphArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "graph", "Draw who calls whom: boxes and arrows with their share of the time");
  add_profiles(command, arguments->profiles);
  command
      .add_option("-o,--output", arguments->output,
                  "File to write; its end says what: .svg, .png, .pdf or another format of "
                  "Graphviz, .dot, .json (default: DOT on standard output)")
      ->type_name("FILE");
  command
      .add_option("-m,--metric", arguments->request.metric, "What to draw: wall, cpu, samples, ...")
      ->type_name("NAME");
  add_with_regions(command, arguments->request.with_regions);
  add_pruning_options(command, *arguments);
  add_drawing_options(line, command, *arguments);
  add_comparison_options(command, *arguments);
  command.add_flag("--json", arguments->request.json, "The graph as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_graph(*arguments); }; });
}

}  // namespace pyrometer
