// What `pyrometer export --format json` writes: all tables back, checked row by row.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "formats/json_values.h"
#include "load/json/json_formats.h"
#include "profile/builder.h"

namespace pyrometer {
namespace {

constexpr double kNewestVersion = 1;
constexpr std::size_t kMostMetrics = 256;

class OwnJsonLoader {
 public:
  explicit OwnJsonLoader(const json::object& file) : file_(file) {}

  Result<Profile> load() {
    const auto version = number_in(file_, "schema_version");
    if (!version || *version > kNewestVersion) {
      return fail(ErrorCode::kUnsupported,
                  "this JSON profile was written by a newer Pyrometer; update to read it");
    }
    PYROMETER_TRY_VOID(for_each_row("functions", &OwnJsonLoader::read_function));
    PYROMETER_TRY_VOID(for_each_row("nodes", &OwnJsonLoader::read_node));
    PYROMETER_TRY_VOID(for_each_row("processes", &OwnJsonLoader::read_process));
    PYROMETER_TRY_VOID(for_each_row("threads", &OwnJsonLoader::read_thread));
    PYROMETER_TRY_VOID(for_each_row("metrics", &OwnJsonLoader::read_metric));
    // Files of earlier versions have no events.
    if (array_in(file_, "counters") != nullptr) {
      PYROMETER_TRY_VOID(for_each_row("counters", &OwnJsonLoader::read_counter));
    }
    if (array_in(file_, "regions") != nullptr) {
      PYROMETER_TRY_VOID(for_each_row("regions", &OwnJsonLoader::read_region));
    }
    builder_.profile().is_sampled = is_true("sampled");
    builder_.profile().paths_are_estimated = is_true("paths_estimated");
    return builder_.finish();
  }

 private:
  bool is_true(std::string_view key) const {
    const json::value* value = member_of(file_, key);
    return value != nullptr && *value == true;
  }

  // Calls `read` with each object of a table; false from it is a row that cannot be.
  Result<void> for_each_row(std::string_view table,
                            bool (OwnJsonLoader::*read)(const json::object&)) {
    const json::array* rows = array_in(file_, table);
    if (rows == nullptr) {
      return fail(ErrorCode::kCorrupt, "this JSON profile has no table '{}'", table);
    }
    for (std::size_t row = 0; row < rows->size(); ++row) {
      const json::object* object = (*rows)[row].if_object();
      if (object == nullptr || !(this->*read)(*object)) {
        return fail(ErrorCode::kCorrupt,
                    "row {} of the table '{}' of this JSON profile is not sound", row, table);
      }
    }
    return {};
  }

  template <class Word>
  static std::optional<Word> word_in(const json::object& row, std::string_view key,
                                     std::initializer_list<Word> words) {
    const std::string_view text = text_in(row, key);
    for (const Word word : words) {
      if (name_of(word) == text) return word;
    }
    return std::nullopt;
  }

  // A member that names a row of a table.
  template <class Id>
  static std::optional<Id> id_in(const json::object& row, std::string_view key,
                                 const std::vector<Id>& ids) {
    const json::value* value = member_of(row, key);
    return value == nullptr ? std::nullopt : id_of(*value, ids);
  }
  template <class Id>
  static std::optional<Id> id_of(const json::value& value, const std::vector<Id>& ids) {
    const auto index = row_of(value, ids.size());
    return index ? std::optional(ids[*index]) : std::nullopt;
  }

  static std::int64_t whole_in(const json::object& row, std::string_view key,
                               std::int64_t otherwise) {
    const json::value* value = member_of(row, key);
    const auto* number = value == nullptr ? nullptr : value->if_int64();
    return number == nullptr ? otherwise : *number;
  }

  bool read_function(const json::object& row) {
    const auto kind = word_in(row, "kind",
                              {FunctionKind::kPython, FunctionKind::kBuiltin, FunctionKind::kNative,
                               FunctionKind::kLabel, FunctionKind::kRegion});
    if (!kind) return false;
    functions_.push_back(builder_.function({.kind = *kind,
                                            .name = text_in(row, "name"),
                                            .qualified_name = text_in(row, "qualified_name"),
                                            .file = text_in(row, "file"),
                                            .short_file = text_in(row, "module_file"),
                                            .first_line = line_in(row, "line"),
                                            .first_column = line_in(row, "column")}));
    return true;
  }

  bool read_node(const json::object& row) {
    const json::value* parent = member_of(row, "parent");
    const auto above = id_in(row, "parent", nodes_);
    const auto function = id_in(row, "function", functions_);
    if (parent == nullptr || (!above && !parent->is_null()) || !function) return false;
    nodes_.push_back(
        builder_.node(above.value_or(NodeId::none()), *function, line_in(row, "line")));
    return true;
  }

  bool read_process(const json::object& row) {
    processes_.push_back(
        builder_.add_process({.rank = whole_in(row, "rank", -1),
                              .host = std::string(text_in(row, "host")),
                              .pid = static_cast<std::uint64_t>(whole_in(row, "pid", 0)),
                              .start = whole_in(row, "start_ns", 0),
                              .duration = whole_in(row, "duration_ns", 0),
                              .source = std::string(text_in(row, "source"))}));
    return true;
  }

  bool read_thread(const json::object& row) {
    const auto process = id_in(row, "process", processes_);
    const auto thread_class =
        word_in(row, "class", {ThreadClass::kMain, ThreadClass::kPython, ThreadClass::kNative});
    if (!process || !thread_class || threads_.size() == kMostThreads) return false;
    threads_.push_back(
        builder_.add_thread({.process = *process,
                             .thread_class = *thread_class,
                             .tid = static_cast<std::uint64_t>(whole_in(row, "tid", 0)),
                             .name = builder_.string(text_in(row, "name"))}));
    return true;
  }

  bool read_metric(const json::object& row) {
    const auto unit = word_in(row, "unit", {Unit::kCount, Unit::kNanoseconds, Unit::kBytes});
    const auto combine = word_in(row, "combine", {Combine::kSum, Combine::kMax});
    const bool is_new = builder_.profile().metrics.size() < kMostMetrics;
    if (!unit || !combine || !is_new) return false;
    metric_ = builder_.metric({std::string(text_in(row, "name")), *unit, *combine});
    return read_values(row, "values", &OwnJsonLoader::add_value) &&
           read_values(row, "lines", &OwnJsonLoader::add_line) &&
           read_values(row, "edges", &OwnJsonLoader::add_edge);
  }

  // Points are [time, value].
  bool read_counter(const json::object& row) {
    const auto process = id_in(row, "process", processes_);
    const auto unit = word_in(row, "unit", {Unit::kCount, Unit::kNanoseconds, Unit::kBytes});
    const json::array* points = array_in(row, "points");
    if (!process || !unit || points == nullptr) return false;
    CounterSeries series{*process, builder_.string(text_in(row, "name")), *unit, {}};
    for (const json::value& value : *points) {
      const json::array* point = value.if_array();
      if (point == nullptr || point->size() != 2) return false;
      const auto* time = (*point)[0].if_int64();
      const auto* amount = (*point)[1].if_int64();
      if (time == nullptr || amount == nullptr) return false;
      series.points.emplace_back(*time, *amount);
    }
    builder_.profile().counters.push_back(std::move(series));
    return true;
  }

  bool read_region(const json::object& row) {
    const auto thread = id_in(row, "thread", threads_);
    if (!thread) return false;
    builder_.profile().regions.push_back({.thread = *thread,
                                          .name = builder_.string(text_in(row, "name")),
                                          .start = whole_in(row, "start_ns", 0),
                                          .duration = whole_in(row, "duration_ns", 0),
                                          .depth = line_in(row, "depth"),
                                          .value = whole_in(row, "value", 0)});
    return true;
  }

  bool read_values(const json::object& row, std::string_view key,
                   bool (OwnJsonLoader::*add)(const json::array&)) {
    const json::array* values = array_in(row, key);
    if (values == nullptr) return false;
    return std::ranges::all_of(*values, [&](const json::value& value) {
      const json::array* cells = value.if_array();
      return cells != nullptr && (this->*add)(*cells);
    });
  }

  // [thread, node, value]
  bool add_value(const json::array& cells) {
    if (cells.size() != 3) return false;
    const auto thread = id_of(cells[0], threads_);
    const auto node = id_of(cells[1], nodes_);
    const auto* value = cells[2].if_int64();
    if (!thread || !node || value == nullptr) return false;
    std::int64_t& sum = builder_.values(*thread).row(*node)[metric_];
    sum = combined(builder_.profile().metrics[metric_.row()].combine, sum, *value);
    return true;
  }

  // [thread, function, line, value]
  bool add_line(const json::array& cells) {
    if (cells.size() != 4) return false;
    const auto thread = id_of(cells[0], threads_);
    const auto function = id_of(cells[1], functions_);
    const auto* value = cells[3].if_int64();
    if (!thread || !function || value == nullptr) return false;
    builder_.add_line({*thread, metric_, *function, line_of(cells[2]), *value});
    return true;
  }

  // [thread, caller, callee, self, total]
  bool add_edge(const json::array& cells) {
    if (cells.size() != 5) return false;
    const auto thread = id_of(cells[0], threads_);
    const auto caller = id_of(cells[1], functions_);
    const auto callee = id_of(cells[2], functions_);
    const auto* self = cells[3].if_int64();
    const auto* total = cells[4].if_int64();
    if (!thread || (!caller && !cells[1].is_null()) || !callee) return false;
    if (self == nullptr || total == nullptr) return false;
    builder_.add_flat(
        {*thread, metric_, caller.value_or(FunctionId::none()), *callee, *self, *total});
    return true;
  }

  // Runs of many ranks have many threads; each takes kilobytes while it is read.
  static constexpr std::size_t kMostThreads = 200'000;

  const json::object& file_;
  ProfileBuilder builder_;
  std::vector<FunctionId> functions_;
  std::vector<NodeId> nodes_;
  std::vector<ProcessId> processes_;
  std::vector<ThreadId> threads_;
  MetricId metric_;
};

}  // namespace

Result<Profile> load_own_json(const json::object& file, Detail) {
  return OwnJsonLoader(file).load();
}

}  // namespace pyrometer
