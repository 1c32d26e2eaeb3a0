#include "report/json_views.h"

#include "analyze/names.h"
#include "analyze/origin.h"
#include "report/json_functions.h"
#include "report/loop_groups.h"
#include "report/sandwich.h"
#include "report/small_rows.h"

namespace pyrometer {
namespace {

void write_group_cost(JsonWriter& json, const Overview& overview, const GroupCost& cost) {
  json.member("self", cost.self).member("total", cost.total).member("samples", cost.samples);
  json.member("self_share", overview.share(cost.self));
  json.member("total_share", overview.share(cost.total));
  json.member("functions", cost.functions);
}

std::vector<GroupCost> shown_groups(const Overview& overview, const ReportOptions& options,
                                    const PositionGroups& groups, const Selection& selection) {
  std::vector<GroupCost> rows =
      make_group_table(overview.profile, overview.metric, groups, selection);
  drop_small_rows(rows, overview, options);
  limit_rows(rows, selection);
  return rows;
}

}  // namespace

void write_scope(JsonWriter& json, const ReportSubject& subject) {
  if (!subject.focus.empty()) {
    json.key("focus").begin_object().member("pattern", subject.focus);
    json.member("whole", subject.whole).end_object();
  }
  if (!subject.region.empty()) {
    json.key("region").begin_object().member("name", subject.region);
    json.member("whole", subject.whole).member("left_out", subject.left_out).end_object();
  }
  if (subject.folding.frames == 0) return;
  json.key("folded").begin_object().member("frames", subject.folding.frames);
  json.member("estimated", subject.folding.is_estimated).key("functions").begin_array();
  for (const std::string& function : subject.folding.functions) json.value(function);
  json.end_array().end_object();
}

void write_origins(JsonWriter& json, const Overview& overview) {
  json.key("origins").begin_array();
  for (const OriginCost& cost : make_origin_table(overview)) {
    json.begin_object().member("origin", id_of(cost.origin)).member("self", cost.self);
    json.member("share", overview.share(cost.self)).end_object();
  }
  json.end_array();
}

void write_groups(JsonWriter& json, const Overview& overview, const ReportOptions& options) {
  json.key("groups").begin_array();
  for (const GroupBy by : options.group_by) {
    const PositionGroups groups = group_functions(overview.profile, by, options.selection);
    json.begin_object().member("by", name_of(by)).key("rows").begin_array();
    for (const GroupCost& cost : shown_groups(overview, options, groups, options.selection)) {
      json.begin_object().member("name", groups.groups[cost.group].name);
      write_group_cost(json, overview, cost);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_loops(JsonWriter& json, const Overview& overview, const ReportOptions& options) {
  const Profile& profile = overview.profile;
  SourceLines sources(profile);
  const LoopGroups loops = group_loops(profile, options.selection, sources);
  json.key("loops").begin_array();
  for (const GroupCost& cost :
       shown_groups(overview, options, loops.positions, loop_order(options.selection))) {
    const LoopPlace& place = loops.places[cost.group];
    json.begin_object().member("name", loops.positions.groups[cost.group].name);
    json.member("file", profile.text(place.file));
    json.member("first_line", place.first).member("last_line", place.last);
    json.member("function", display_name(profile, profile.functions[place.function.row()]));
    write_group_cost(json, overview, cost);
    json.end_object();
  }
  json.end_array();
}

void write_sandwich(JsonWriter& json, const Overview& overview, const ReportOptions& options) {
  const CallSide callers = CallSide::callers(overview.graph);
  const CallSide callees = CallSide::callees(overview.graph);
  std::vector<FunctionCost> subjects = sandwich_subjects(overview, options);
  limit_rows(subjects, options.selection);
  json.key("sandwich").begin_array();
  for (const FunctionCost& subject : subjects) {
    json.begin_object();
    write_function_names(json, overview.profile,
                         overview.profile.functions[subject.function.row()]);
    write_cost(json, subject);
    write_edges(json, overview, options, "callers", subject.function, callers);
    write_edges(json, overview, options, "callees", subject.function, callees);
    json.end_object();
  }
  json.end_array();
}

// Flat, with the parent's index: a nested document of sixty thousand levels opens nowhere.
void write_tree(JsonWriter& json, const Overview& overview, const ReportOptions& options,
                std::string_view name, const ShownTree& shown) {
  constexpr std::int64_t kNoParent = -1;
  const ViewTree& tree = shown.tree();
  const Profile& profile = shown.profile();
  std::vector<std::int64_t> written(tree.nodes.size(), kNoParent);
  std::vector<std::int64_t> parents(tree.nodes.size(), kNoParent);
  std::int64_t count = 0;
  json.key(name).begin_array();
  std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
  while (!open.empty()) {
    const std::uint32_t index = open.back();
    const ViewNode& node = tree.nodes[index];
    open.pop_back();
    const bool is_large = overview.share(node.total) >= options.least_share;
    if (!is_large || node.depth >= options.depth) continue;
    written[index] = count++;
    const Function& function = profile.functions[node.function.row()];
    json.begin_object().member("parent", parents[index]);
    json.member("function", display_name(profile, function));
    json.member("file", profile.text(function.file)).member("line", function.first_line);
    json.member("self", node.self).member("total", node.total).end_object();
    for (const std::uint32_t child : node.children) parents[child] = written[index];
    open.insert(open.end(), node.children.rbegin(), node.children.rend());
  }
  json.end_array();
}

}  // namespace pyrometer
