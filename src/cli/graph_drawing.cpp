#include "cli/graph_drawing.h"

#include "analyze/main_metric.h"
#include "analyze/thread_call_graph.h"
#include "os/tool_process.h"
#include "report/graph_json.h"

namespace pyrometer {
namespace {

// A file beside the output that goes away with its owner.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Path& beside) : path_(temporary_beside(beside)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const Path& path() const { return path_; }

 private:
  Path path_;
};

std::string extension_of(const Path& output) {
  const std::string extension = output.extension().string();
  return extension.empty() ? extension : extension.substr(1);
}

bool is_ours(std::string_view extension) {
  return extension == "dot" || extension == "gv" || extension == "json";
}

Result<MetricId> metric_of(const Profile& profile, const GraphRequest& request) {
  return request.metric.empty() ? main_metric(profile) : named_metric(profile, request.metric);
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

Result<std::optional<Profile>> fold_for_graph(const Profile& profile, const GraphRequest& request,
                                              std::vector<std::string>& notes) {
  const FoldRules& rules = request.folding;
  if (!rules.wrappers && rules.also.empty()) return std::nullopt;
  PYROMETER_TRY(const MetricId metric, metric_of(profile, request));
  PYROMETER_TRY(std::optional<Folded> folded, fold_paths(profile, metric, rules));
  if (folded) return std::move(folded->profile);
  notes.emplace_back(
      rules.wrappers && profile.paths_are_estimated
          ? "nothing was folded: this profile has no call paths, by which wrappers are found; "
            "--fold REGEX folds functions by their names"
          : "nothing was folded: no function that is called by another one is of that kind");
  return std::nullopt;
}

Result<ShareGraph> graph_of(const Profile& profile, const GraphRequest& request,
                            const std::vector<bool>* threads) {
  PYROMETER_TRY(const MetricId metric, metric_of(profile, request));
  const CallGraph calls = threads == nullptr ? make_call_graph(profile, metric)
                                             : make_call_graph(profile, metric, *threads);
  if (calls.functions.empty()) {
    return fail(ErrorCode::kUnsupported, "there is no call graph in this profile{}",
                profile.line_values.empty() ? ": it holds no functions"
                                            : ", only lines; 'pyrometer lines' shows them");
  }
  return make_share_graph(profile, metric, calls);
}

Result<Drawing> draw_graph(ShareGraph graph, const GraphRequest& request) {
  Drawing drawing;
  PYROMETER_TRY(drawing.hidden, prune_graph(graph, request.pruning));
  drawing.shown = graph.nodes.size();
  drawing.text = request.json ? graph_json(graph, drawing.hidden) : write_dot(graph, request.dot);
  return drawing;
}

Result<void> check_picture_name(const Path& output, bool json) {
  const std::string extension = extension_of(output);
  if (json && extension != "json") {
    return fail(ErrorCode::kUsage, "--json writes no picture; '{}' must end in .json",
                output.string());
  }
  const auto is_fit = [](unsigned char c) { return std::isalnum(c) != 0; };
  if (extension.empty() || !std::all_of(extension.begin(), extension.end(), is_fit)) {
    return fail(ErrorCode::kUsage,
                "the end of '{}' does not say what to draw; let it be .svg, .png, .pdf, .dot or "
                "any other format of Graphviz",
                output.string());
  }
  return {};
}

Result<std::string> write_picture(const Path& output, const Drawing& drawing) {
  const std::string extension = extension_of(output);
  if (is_ours(extension)) {
    PYROMETER_TRY_VOID(write_file(output, drawing.text));
    return std::string();
  }
  const TemporaryFile source(output);
  const TemporaryFile picture(output);
  if (!write_file(source.path(), drawing.text)) {
    return fail(ErrorCode::kIo, "cannot write '{}': {}", output.string(), last_error_text());
  }
  const auto ending =
      run_tool({"dot", "-T" + extension, "-o" + picture.path().string(), source.path().string()});
  if (!ending && ending.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                "Graphviz is needed to draw '{}', and its program 'dot' is not on PATH; type 'apt "
                "install graphviz', or write '-o graph.dot' and draw that elsewhere",
                output.string());
  }
  if (!ending) return tl::unexpected(ending.error());
  std::error_code ignored;
  if (!ending->is_good() || !std::filesystem::exists(picture.path(), ignored)) {
    const std::string reason = ending->signal != 0 ? fmt::format("signal {}", ending->signal)
                               : ending->complaint.empty()
                                   ? fmt::format("status {}", ending->status)
                                   : first_line(ending->complaint);
    return fail(ErrorCode::kIo,
                "Graphviz cannot draw '{}' ({}); '-o graph.dot' writes what it was given",
                output.string(), reason);
  }
  PYROMETER_TRY_VOID(move_into_place(picture.path(), output));
  return first_line(ending->complaint);
}

}  // namespace pyrometer
