// speedscope's file format: one profile per thread. A thread's call tree is written as
// the opening and closing of frames, which takes one pair per position however deep it is.
#include "analyze/inclusive.h"
#include "analyze/names.h"
#include "analyze/tree_index.h"
#include "base/json_writer.h"
#include "export/exporter.h"
#include "export/thread_samples.h"

namespace pyrometer {
namespace {

std::string_view speedscope_unit(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds: return "nanoseconds";
    case Unit::kBytes: return "bytes";
    case Unit::kCount: return "none";
  }
  return "none";
}

void write_frames(JsonWriter& json, const Profile& profile) {
  json.key("shared").begin_object().key("frames").begin_array();
  for (const Function& function : profile.functions) {
    json.begin_object().member("name", display_name(profile, function));
    json.member("file", profile.text(function.file)).member("line", function.first_line);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_thread(JsonWriter& json, const Overview& overview, const TreeIndex& index,
                  std::size_t thread) {
  const Profile& profile = overview.profile;
  const Metric& metric = profile.metrics[overview.metric.row()];
  std::vector<std::int64_t> self(profile.nodes.size());
  std::int64_t end = 0;
  for (const Cell& cell : profile.thread_cells[thread][overview.metric.row()]) {
    if (cell.value < 0) continue;  // an axis cannot go backwards
    self[cell.node.row()] = cell.value;
    end += cell.value;
  }
  const auto total = inclusive_values(profile, self, Combine::kSum);
  json.begin_object().member("type", "evented");
  json.member("name", thread_title(profile, profile.threads[thread]));
  json.member("unit", speedscope_unit(metric.unit));
  json.member("startValue", 0).member("endValue", end);
  json.key("events").begin_array();
  std::int64_t at = 0;
  const auto event = [&](const char* type, NodeId node) {
    if (total[node.row()] == 0) return;
    json.begin_object().member("type", type);
    json.member("frame", profile.nodes[node.row()].function.row()).member("at", at).end_object();
  };
  index.walk(
      [&](NodeId node) {
        event("O", node);
        at += self[node.row()];
      },
      [&](NodeId node) { event("C", node); });
  json.end_array().end_object();
}

}  // namespace

Result<std::string> export_speedscope(const Overview& overview) {
  const Profile& profile = overview.profile;
  const TreeIndex index(profile);
  JsonWriter json;
  json.begin_object();
  json.member("$schema", "https://www.speedscope.app/file-format-schema.json");
  json.member("exporter", "pyrometer").member("name", "pyrometer").member("activeProfileIndex", 0);
  write_frames(json, profile);
  json.key("profiles").begin_array();
  for (std::size_t thread = 0; thread < profile.thread_cells.size(); ++thread) {
    write_thread(json, overview, index, thread);
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace pyrometer
