// The processed profile of the Firefox Profiler (profiler.firefox.com), version 57: newer ones load
// it through their upgraders. One thread each; tables hold what the thread uses and nothing else.
#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analyze/names.h"
#include "base/json_writer.h"
#include "export/exporter.h"
#include "export/thread_samples.h"
#include "export/track_numbers.h"

namespace pyrometer {
namespace {

constexpr int kProcessedVersion = 57;
constexpr int kGeckoVersion = 32;
constexpr int kLibraryResource = 1;

// The order is that of the table in meta.
enum Category : std::uint8_t { kOther, kPython, kNative, kWaiting };

Category category_of(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::kPython: return kPython;
    case FunctionKind::kBuiltin:
    case FunctionKind::kNative: return kNative;
    case FunctionKind::kLabel: return kWaiting;
    case FunctionKind::kRegion: break;
  }
  return kOther;
}

std::string_view weight_type(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds: return "tracing-ms";
    case Unit::kBytes: return "bytes";
    case Unit::kCount: return "samples";
  }
  return "samples";
}

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

// Numbers given out in the order of first use.
template <class Key>
class Numbering {
 public:
  std::size_t operator()(const Key& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, keys_.size());
    if (is_new) keys_.push_back(key);
    return found->second;
  }
  const std::vector<Key>& keys() const { return keys_; }
  std::size_t size() const { return keys_.size(); }

 private:
  std::vector<Key> keys_;
  boost::unordered_flat_map<Key, std::size_t> numbers_;
};

// A column of a table: one value for each row, written by `write`.
template <class Rows, class Write>
void column(JsonWriter& json, std::string_view name, const Rows& rows, Write write) {
  json.key(name).begin_array();
  for (const auto& row : rows) write(row);
  json.end_array();
}

class FirefoxWriter {
 public:
  explicit FirefoxWriter(const Overview& overview)
      : overview_(overview),
        profile_(overview.profile),
        index_(overview.profile),
        pids_(process_numbers(overview.profile)),
        tids_(thread_numbers(overview.profile)) {}

  std::string write() {
    json_.begin_object();
    write_meta();
    json_.key("libs").begin_array().end_array().key("threads").begin_array();
    for (std::size_t row = 0; row < profile_.threads.size(); ++row) {
      write_thread(ThreadId::from_index(row));
    }
    json_.end_array().key("pages").begin_array().end_array();
    json_.key("shared").begin_object().key("stringArray").begin_array();
    for (const std::string& text : strings_.keys()) json_.value(text);
    json_.end_array().end_object().end_object();
    return json_.take();
  }

 private:
  void write_meta() {
    std::int64_t start = profile_.processes.empty() ? 0 : profile_.processes[0].start;
    for (const Process& process : profile_.processes) start = std::min(start, process.start);
    json_.key("meta").begin_object().member("version", kGeckoVersion);
    json_.member("preprocessedProfileVersion", kProcessedVersion);
    json_.member("interval", 1).member("startTime", milliseconds(start));
    json_.member("processType", 0).member("stackwalk", 0).member("product", "pyrometer");
    json_.member("importedFrom", "pyrometer").member("symbolicated", true);
    json_.member("usesOnlyOneStackType", true).member("doesNotUseFrameImplementation", true);
    json_.key("categories").begin_array();
    write_category("Other", "grey");
    write_category("Python", "yellow");
    write_category("Native", "blue");
    write_category("Waiting", "transparent");
    json_.end_array().key("markerSchema").begin_array().end_array();
    json_.key("extensions").begin_object().member("length", 0);
    for (const char* name : {"id", "name", "baseURL"}) json_.key(name).begin_array().end_array();
    json_.end_object().end_object();
  }

  void write_category(std::string_view name, std::string_view colour) {
    json_.begin_object().member("name", name).member("color", colour);
    json_.key("subcategories").begin_array().value("Other").end_array().end_object();
  }

  // What the thread's samples and the positions above them use.
  struct Tables {
    Numbering<std::uint64_t> frames;  // function and line
    Numbering<std::uint32_t> functions;
    Numbering<std::size_t> resources;  // by their names' numbers
    std::vector<NodeId> stacks;        // parents first
    std::vector<std::size_t> stack_of_node;
  };

  Tables make_tables(const std::vector<WeightedPosition>& positions) {
    std::vector<bool> is_used(profile_.nodes.size());
    for (const WeightedPosition& position : positions) is_used[position.node.row()] = true;
    for (std::size_t row = profile_.nodes.size(); row-- > 0;) {
      const NodeId parent = profile_.nodes[row].parent;
      if (is_used[row] && !parent.is_none()) is_used[parent.row()] = true;
    }
    Tables tables;
    tables.stack_of_node.resize(profile_.nodes.size());
    for (std::size_t row = 0; row < profile_.nodes.size(); ++row) {
      if (!is_used[row]) continue;
      tables.stack_of_node[row] = tables.stacks.size();
      tables.stacks.push_back(NodeId::from_index(row));
      tables.frames(frame_key(profile_.nodes[row]));
    }
    for (const std::uint64_t frame : tables.frames.keys()) tables.functions(function_of(frame));
    for (const std::uint32_t row : tables.functions.keys()) tables.resources(resource_of(row));
    return tables;
  }

  static std::uint64_t frame_key(const Node& node) {
    return (std::uint64_t{node.function.row()} << 32) | node.line;
  }
  static std::uint32_t function_of(std::uint64_t frame) {
    return static_cast<std::uint32_t>(frame >> 32);
  }
  static std::uint32_t line_of(std::uint64_t frame) { return static_cast<std::uint32_t>(frame); }
  Category category(std::uint64_t frame) const {
    return category_of(profile_.functions[function_of(frame)].kind);
  }

  // The file that a person would name: the profiler shows it behind the function.
  std::size_t resource_of(std::uint32_t function) {
    const std::string place = display_place(profile_, profile_.functions[function], 0);
    return strings_(place.empty() ? "built-in" : place);
  }

  void write_thread(ThreadId id) {
    const Thread& thread = profile_.threads[id.row()];
    const Process& process = profile_.processes[thread.process.row()];
    const ThreadSamples samples = make_thread_samples(overview_, index_, id);
    Tables tables = make_tables(samples.positions);
    json_.begin_object().member("name", thread_title(profile_, thread));
    json_.member("isMainThread", thread.thread_class == ThreadClass::kMain);
    json_.member("processType", "default").member("processName", process.source);
    json_.member("pid", std::to_string(pids_[thread.process.row()]));
    json_.member("tid", tids_[id.row()]);
    json_.member("processStartupTime", 0).key("processShutdownTime").null();
    json_.member("registerTime", 0).key("unregisterTime").null();
    json_.key("pausedRanges").begin_array().end_array();
    write_samples(samples, tables);
    write_stacks(tables);
    write_functions(tables);
    write_empty_table("nativeSymbols", {"libIndex", "address", "name", "functionSize"});
    write_empty_table("markers", {"data", "name", "startTime", "endTime", "phase", "category"});
    json_.end_object();
  }

  void write_samples(const ThreadSamples& samples, const Tables& tables) {
    const Unit unit = profile_.metrics[overview_.metric.row()].unit;
    const bool is_time = unit == Unit::kNanoseconds;
    const std::int64_t first = samples.positions.empty() ? 0 : samples.positions[0].time;
    const auto& positions = samples.positions;
    json_.key("samples").begin_object().member("length", positions.size());
    json_.member("weightType", weight_type(unit));
    column(json_, "stack", positions, [&](const WeightedPosition& position) {
      json_.value(tables.stack_of_node[position.node.row()]);
    });
    column(json_, "time", positions, [&](const WeightedPosition& position) {
      const std::int64_t time = position.time - first;
      json_.value(is_time ? milliseconds(time) : static_cast<double>(time));
    });
    column(json_, "weight", positions, [&](const WeightedPosition& position) {
      is_time ? json_.value(milliseconds(position.weight)) : json_.value(position.weight);
    });
    json_.end_object();
  }

  void write_stacks(Tables& tables) {
    const auto frame_of = [&](NodeId node) { return frame_key(profile_.nodes[node.row()]); };
    json_.key("stackTable").begin_object().member("length", tables.stacks.size());
    column(json_, "frame", tables.stacks,
           [&](NodeId node) { json_.value(tables.frames(frame_of(node))); });
    column(json_, "category", tables.stacks,
           [&](NodeId node) { json_.value(int{category(frame_of(node))}); });
    column(json_, "subcategory", tables.stacks, [&](NodeId) { json_.value(0); });
    column(json_, "prefix", tables.stacks, [&](NodeId node) {
      const NodeId parent = profile_.nodes[node.row()].parent;
      parent.is_none() ? json_.null() : json_.value(tables.stack_of_node[parent.row()]);
    });
    const auto& frames = tables.frames.keys();
    const auto nulls = [&](std::uint64_t) { json_.null(); };
    json_.end_object().key("frameTable").begin_object().member("length", frames.size());
    column(json_, "address", frames, [&](std::uint64_t) { json_.value(-1); });
    column(json_, "inlineDepth", frames, [&](std::uint64_t) { json_.value(0); });
    column(json_, "category", frames,
           [&](std::uint64_t frame) { json_.value(int{category(frame)}); });
    column(json_, "subcategory", frames, [&](std::uint64_t) { json_.value(0); });
    column(json_, "func", frames,
           [&](std::uint64_t frame) { json_.value(tables.functions(function_of(frame))); });
    column(json_, "line", frames, [&](std::uint64_t frame) {
      line_of(frame) == 0 ? json_.null() : json_.value(line_of(frame));
    });
    for (const char* name : {"column", "nativeSymbol", "innerWindowID", "implementation"}) {
      column(json_, name, frames, nulls);
    }
    json_.end_object();
  }

  void write_functions(Tables& tables) {
    const auto& rows = tables.functions.keys();
    const auto function = [&](std::uint32_t row) -> const Function& {
      return profile_.functions[row];
    };
    json_.key("funcTable").begin_object().member("length", rows.size());
    column(json_, "name", rows, [&](std::uint32_t row) {
      json_.value(strings_(std::string(display_name(profile_, function(row)))));
    });
    for (const char* name : {"isJS", "relevantForJS"}) {
      column(json_, name, rows, [&](std::uint32_t) { json_.value(false); });
    }
    column(json_, "resource", rows,
           [&](std::uint32_t row) { json_.value(tables.resources(resource_of(row))); });
    column(json_, "fileName", rows, [&](std::uint32_t row) {
      const std::string_view file = profile_.text(function(row).file);
      file.empty() ? json_.null() : json_.value(strings_(std::string(file)));
    });
    column(json_, "lineNumber", rows, [&](std::uint32_t row) {
      const std::uint32_t line = function(row).first_line;
      line == 0 ? json_.null() : json_.value(line);
    });
    column(json_, "columnNumber", rows, [&](std::uint32_t) { json_.null(); });
    const auto& resources = tables.resources.keys();
    json_.end_object().key("resourceTable").begin_object().member("length", resources.size());
    column(json_, "name", resources, [&](std::size_t name) { json_.value(name); });
    column(json_, "lib", resources, [&](std::size_t) { json_.null(); });
    column(json_, "host", resources, [&](std::size_t) { json_.null(); });
    column(json_, "type", resources, [&](std::size_t) { json_.value(kLibraryResource); });
    json_.end_object();
  }

  void write_empty_table(std::string_view table, std::initializer_list<const char*> columns) {
    json_.key(table).begin_object().member("length", 0);
    for (const char* name : columns) json_.key(name).begin_array().end_array();
    json_.end_object();
  }

  const Overview& overview_;
  const Profile& profile_;
  TreeIndex index_;
  std::vector<std::uint64_t> pids_;  // by process
  std::vector<std::uint64_t> tids_;  // by thread
  Numbering<std::string> strings_;
  JsonWriter json_;
};

}  // namespace

Result<std::string> export_firefox(const Overview& overview) {
  return FirefoxWriter(overview).write();
}

}  // namespace pyrometer
