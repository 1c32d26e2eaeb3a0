#include "load/recording.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "load/cumulative_tables.h"
#include "profile/builder.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

// "_multiarray_umath.so" for ".../_multiarray_umath.cpython-311-x86_64-linux-gnu.so": the name of
// an extension module without the interpreter it was built for.
std::string library_name(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const std::string_view tag : {".cpython-", ".abi3"}) {
    const std::size_t at = file.find(tag);
    if (at != std::string_view::npos && file.ends_with(".so")) {
      return std::string(file.substr(0, at)) + ".so";
    }
  }
  return std::string(file);
}

// Turns records into builder calls. Ids in a recording are small running numbers; each map
// below leads from them to the profile's rows. A method that returns false found a record
// that contradicts the ones before it.
class RecordingLoader {
 public:
  RecordingLoader(const RecordingHeader& header, Detail detail) : header_(header), detail_(detail) {
    process_ = builder_.add_process({.rank = header.rank,
                                     .world_size = header.world_size,
                                     .host = header.host,
                                     .pid = header.pid,
                                     .parent_pid = header.parent_pid,
                                     .start = header.realtime,
                                     .clock = header.monotonic});
  }

  bool operator()(const StringRecord& record) {
    strings_.push_back(builder_.string(record.text));
    return true;
  }

  bool operator()(const ModuleRecord& record) {
    if (!is_string(record.path)) return false;
    modules_.push_back(builder_.module(text(record.path), record.build_id));
    return true;
  }

  bool operator()(const CodeRecord& record) {
    if (!is_string(record.name) || !is_string(record.qualified_name) || !is_string(record.file)) {
      return false;
    }
    const std::string short_file = module_relative(text(record.file), search_path_);
    functions_.push_back(builder_.function({.kind = record.kind,
                                            .name = text(record.name),
                                            .qualified_name = text(record.qualified_name),
                                            .file = text(record.file),
                                            .short_file = short_file,
                                            .first_line = record.first_line,
                                            .first_column = record.first_column}));
    return true;
  }

  bool operator()(const SourceRecord& record) {
    if (!is_string(record.file)) return false;
    builder_.profile().sources.insert_or_assign(
        strings_[record.file],
        SourceText{record.kind == SourceKind::kHash, std::string(record.content)});
    return true;
  }

  bool operator()(const ThreadRecord& record) {
    if (!is_string(record.name) || record.id > threads_.size()) return false;
    const Thread thread{.process = process_,
                        .thread_class = record.thread_class,
                        .tid = record.tid,
                        .name = strings_[record.name],
                        .start = record.start,
                        .end = record.end};
    if (record.id == threads_.size()) {
      threads_.push_back(builder_.add_thread(thread));
      pending_.emplace_back();
      settled_.emplace_back();
    } else {
      builder_.profile().threads[threads_[record.id].row()] = thread;
    }
    return true;
  }

  bool operator()(const MetricRecord& record) {
    metrics_.push_back(builder_.metric({std::string(record.name), record.unit, record.combine}));
    if (record.name == metric::kSamples) builder_.profile().is_sampled = true;
    return is_within_limits();
  }

  bool operator()(NodesRecord& record) {
    while (record.rows.next()) {
      const std::int64_t parent = record.rows[0];
      if (parent < 0 || static_cast<std::uint64_t>(parent) > nodes_.size()) return false;
      const NodeId parent_node =
          parent == 0 ? NodeId::none() : nodes_[static_cast<std::size_t>(parent - 1)];
      const auto target = static_cast<std::uint64_t>(record.rows[1]);
      const auto position = static_cast<std::uint64_t>(record.rows[2]);
      const bool is_native = (target & 1U) != 0;
      if (is_native ? !is_row(target / 2, modules_) : !is_row(target / 2, functions_)) return false;
      if (!is_native && position > std::numeric_limits<std::uint32_t>::max()) return false;
      const FunctionId function =
          is_native ? native_function(modules_[target / 2]) : functions_[target / 2];
      const auto line = is_native ? 0 : static_cast<std::uint32_t>(position);
      nodes_.push_back(builder_.node(parent_node, function, line));
    }
    return record.rows.ok() && is_within_limits();
  }

  bool operator()(SamplesRecord& record) {
    const auto metrics = map_metrics(record.metrics);
    if (!metrics || !is_row(record.thread, threads_)) return false;
    if (!samples_metric_) {
      samples_metric_ = builder_.metric({std::string(metric::kSamples), Unit::kCount});
    }
    builder_.profile().is_sampled = true;
    SampleTrack* track =
        detail_ >= Detail::kSamples ? &track_of(threads_[record.thread], *metrics) : nullptr;
    ValueRows& pending = pending_[record.thread];
    while (record.rows.next()) {
      const auto node_row = static_cast<std::uint64_t>(record.rows[1]);
      if (!is_row(node_row, nodes_)) return false;
      const NodeId node = nodes_[node_row];
      ValueRows::Row row = pending.row(node);
      ++row[*samples_metric_];
      const auto values = record.rows.values().subspan(2);
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::int64_t& value = row[(*metrics)[i]];
        value = combined(builder_.profile().metrics[(*metrics)[i].row()].combine, value, values[i]);
      }
      if (track != nullptr) track->append(record.rows[0], node, values);
      saw_time(record.rows[0]);
    }
    return record.rows.ok();
  }

  bool operator()(CheckpointRecord& record) {
    const auto metrics = map_metrics(record.metrics);
    if (!metrics || !is_row(record.thread, threads_)) return false;
    saw_time(record.time);
    const ThreadId thread = threads_[record.thread];
    if (record.subject == CheckpointSubject::kNode) return node_checkpoint(record, *metrics);
    const bool is_line = record.subject == CheckpointSubject::kLine;
    const bool has_caller = record.subject == CheckpointSubject::kEdge;
    while (record.rows.next()) {
      const auto first = static_cast<std::uint64_t>(record.rows[0]);
      const auto last = static_cast<std::uint64_t>(record.rows[has_caller ? 1 : 0]);
      if (!is_row(first, functions_) || !is_row(last, functions_)) return false;
      const auto values = record.rows.values().subspan(record.key_columns());
      for (std::size_t i = 0; i < metrics->size(); ++i) {
        const MetricId metric = (*metrics)[i];
        if (is_line) {
          const std::int64_t line = record.rows[1];
          if (line < 0 || line > std::numeric_limits<std::uint32_t>::max()) return false;
          cumulative_.set_line(
              {thread, metric, functions_[first], static_cast<std::uint32_t>(line), values[i]});
        } else {
          cumulative_.set_flat({thread, metric, has_caller ? functions_[first] : FunctionId::none(),
                                functions_[last], values[2 * i], values[2 * i + 1]});
        }
      }
    }
    return record.rows.ok();
  }

  bool operator()(RegionsRecord& record) {
    return read_regions(record.thread, record.rows, builder_.profile().regions);
  }
  bool operator()(OpenRegionsRecord& record) {
    std::vector<Region>& open = open_regions_[record.thread];
    open.clear();
    return read_regions(record.thread, record.rows, open);
  }

  bool operator()(const CounterRecord& record) {
    if (!is_string(record.name)) return false;
    builder_.profile().counters.push_back({process_, strings_[record.name], record.unit, {}});
    return true;
  }

  bool operator()(CounterValuesRecord& record) {
    auto& counters = builder_.profile().counters;
    if (record.counter >= counters.size()) return false;
    while (record.rows.next()) {
      counters[record.counter].points.emplace_back(record.rows[0], record.rows[1]);
      saw_time(record.rows[0]);
    }
    return record.rows.ok();
  }

  bool operator()(const MessageRecord& record) {
    builder_.profile().messages.push_back(
        {process_, record.time, record.level, std::string(record.text)});
    return true;
  }

  bool operator()(const AttributeRecord& record) {
    auto& attributes = process().attributes;
    if (record.key == "sys.path") {
      search_path_.emplace_back(record.value);
    } else if (const auto same = std::find_if(
                   attributes.begin(), attributes.end(),
                   [&](const auto& attribute) { return attribute.first == record.key; });
               same != attributes.end()) {
      same->second = record.value;  // a later value replaces an earlier one
      return true;
    }
    attributes.emplace_back(record.key, record.value);
    return true;
  }

  bool operator()(const EndRecord& record) {
    saw_time(record.time);
    if (record.reason == EndReason::kExit) process().exit_status = record.status;
    return true;
  }

  // Single calls are for timelines; totals come in checkpoints.
  bool operator()(CallsRecord& record) {
    if (!is_row(record.thread, threads_)) return false;
    if (detail_ != Detail::kEverything) return true;
    CallTrack track{.thread = threads_[record.thread]};
    while (record.rows.next()) {
      const auto node = static_cast<std::uint64_t>(record.rows[1]);
      if (!is_row(node, nodes_)) return false;
      track.calls.push_back({record.rows[0], record.rows[2], nodes_[node]});
    }
    builder_.profile().calls.push_back(std::move(track));
    return record.rows.ok();
  }
  bool operator()(MpiCallsRecord& record) {
    if (!is_row(record.thread, threads_)) return false;
    while (record.rows.next()) {
      const auto node = static_cast<std::uint64_t>(record.rows[0]);
      if (!is_row(node, nodes_)) return false;
      cumulative_.set_mpi_calls({.thread = threads_[record.thread],
                                 .node = nodes_[node],
                                 .communicator = static_cast<std::uint32_t>(record.rows[1]),
                                 .size_class = static_cast<std::uint32_t>(record.rows[2]),
                                 .calls = record.rows[3],
                                 .time = record.rows[4],
                                 .bytes = record.rows[5],
                                 .quickest = record.rows[6],
                                 .slowest = record.rows[7]});
    }
    return record.rows.ok();
  }
  bool operator()(LiveRecord& record) {
    if (!is_row(record.thread, threads_)) return false;
    saw_time(record.time);
    while (record.rows.next()) {
      const auto node = static_cast<std::uint64_t>(record.rows[0]);
      if (!is_row(node, nodes_) || record.rows[1] < 0 || live_points_ == kMostLivePoints) {
        return false;
      }
      live_track(record.thread, node).points.emplace_back(record.time, record.rows[1]);
      ++live_points_;
    }
    return record.rows.ok();
  }
  // Allocations and waits are not used yet.
  bool operator()(const AllocationsRecord&) { return true; }
  bool operator()(const WaitObjectRecord&) { return true; }
  bool operator()(const WaitsRecord&) { return true; }

  Profile finish(const RecordingReader& reader) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      settle(i);
      builder_.values(threads_[i]).combine(pending_[i], builder_.profile().metrics);
    }
    cumulative_.move_into(builder_);
    for (const auto& [thread, open] : open_regions_) {
      auto& regions = builder_.profile().regions;
      regions.insert(regions.end(), open.begin(), open.end());
    }
    if (!builder_.profile().is_sampled) count_mpi_time();
    process().duration = last_time_ > header_.monotonic ? last_time_ - header_.monotonic : 0;
    process().status = status_of(reader.end());
    process().trouble = reader.damage();
    if (reader.skipped_frames() != 0) {
      builder_.profile().notes.push_back(
          fmt::format("{} records of a newer Pyrometer were left out; update to see them",
                      reader.skipped_frames()));
    }
    return builder_.finish();
  }

 private:
  // Where samples do not say how time was spent, clocks do.
  void count_mpi_time() {
    for (const MpiCalls& calls : builder_.profile().mpi_calls) {
      const MetricId mpi = builder_.metric({std::string(metric::kMpi), Unit::kNanoseconds});
      builder_.values(calls.thread).row(calls.node)[mpi] += calls.time;
    }
  }

  bool read_regions(std::uint32_t thread, RowReader& rows, std::vector<Region>& regions) {
    if (!is_row(thread, threads_)) return false;
    while (rows.next()) {
      const auto name = static_cast<std::uint64_t>(rows[1]);
      if (!is_row(name, strings_)) return false;
      // 0: unknown, as in recordings that did not tell it yet.
      const auto opener = static_cast<std::uint64_t>(rows[4] - 1);
      regions.push_back(
          {.thread = threads_[thread],
           .name = strings_[name],
           .start = rows[0],
           .duration = rows[2],
           .depth = static_cast<std::uint32_t>(rows[3]),
           .opener = is_row(opener, functions_) ? functions_[opener] : FunctionId::none()});
      saw_time(rows[0]);
    }
    return rows.ok();
  }

  static ProcessStatus status_of(RecordingEnd end) {
    switch (end) {
      case RecordingEnd::kComplete: return ProcessStatus::kFinished;
      case RecordingEnd::kKilled: return ProcessStatus::kKilled;
      case RecordingEnd::kTruncated: return ProcessStatus::kTruncated;
      case RecordingEnd::kDamaged: return ProcessStatus::kDamaged;
    }
    return ProcessStatus::kDamaged;
  }

  template <class T>
  static bool is_row(std::uint64_t row, const std::vector<T>& table) {
    return row < table.size();
  }
  bool is_string(std::uint32_t row) const { return is_row(row, strings_); }
  std::string_view text(std::uint32_t row) { return builder_.profile().text(strings_[row]); }
  Process& process() { return builder_.profile().processes[process_.row()]; }
  void saw_time(std::int64_t time) { last_time_ = std::max(last_time_, time); }

  bool is_within_limits() const {
    return metrics_.size() <= kMaxMetrics &&
           nodes_.size() * (metrics_.size() + 1) <= kMaxNodesTimesMetrics;
  }

  // Without symbols, native code is told by its library: a function per address would scatter
  // one routine over hundreds of rows. The recording keeps the addresses.
  FunctionId native_function(ModuleId module) {
    const StringId path = builder_.profile().modules[module.row()].path;
    const std::string_view file = builder_.profile().text(path);
    const std::string name = library_name(file);
    return builder_.function({.kind = FunctionKind::kNative,
                              .name = name,
                              .qualified_name = name,
                              .file = file,
                              .short_file = name,
                              .module = module});
  }

  std::optional<std::vector<MetricId>> map_metrics(const std::vector<BatchMetric>& batch) const {
    std::vector<MetricId> mapped;
    for (const BatchMetric& metric : batch) {
      if (!is_row(metric.metric, metrics_)) return std::nullopt;
      mapped.push_back(metrics_[metric.metric]);
    }
    return mapped;
  }

  SampleTrack& track_of(ThreadId thread, const std::vector<MetricId>& metrics) {
    auto& tracks = builder_.profile().samples;
    const auto fits = [&](const SampleTrack& track) {
      return track.thread() == thread && track.metrics() == metrics;
    };
    if (last_track_ < tracks.size() && fits(tracks[last_track_])) return tracks[last_track_];
    const auto found = std::find_if(tracks.begin(), tracks.end(), fits);
    last_track_ = static_cast<std::size_t>(found - tracks.begin());
    if (found == tracks.end()) tracks.emplace_back(thread, metrics);
    return tracks[last_track_];
  }

  bool node_checkpoint(CheckpointRecord& record, const std::vector<MetricId>& metrics) {
    // The checkpoint stands for the samples before it, so those must not count again.
    for (const MetricId metric : metrics) pending_[record.thread].clear(metric);
    ValueRows& settled = settled_[record.thread];
    while (record.rows.next()) {
      const auto node = static_cast<std::uint64_t>(record.rows[0]);
      if (!is_row(node, nodes_)) return false;
      ValueRows::Row row = settled.row(NodeId::from_index(node));
      for (std::size_t i = 0; i < metrics.size(); ++i) row[metrics[i]] = record.rows[i + 1];
    }
    return record.rows.ok();
  }

  // Positions of the recording that are one in the profile (instructions of one line) add up.
  void settle(std::size_t thread) {
    const std::vector<Metric>& metrics = builder_.profile().metrics;
    const ThreadCells cells = settled_[thread].cells(metrics.size());
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
      for (const Cell& cell : cells[metric]) {
        ValueRows::Row row = builder_.values(threads_[thread]).row(nodes_[cell.node.row()]);
        std::int64_t& value = row[MetricId::from_index(metric)];
        value = combined(metrics[metric].combine, value, cell.value);
      }
    }
  }

  LiveTrack& live_track(std::uint32_t thread, std::uint64_t node) {
    auto& tracks = builder_.profile().live_tracks;
    const auto [known, is_new] = live_tracks_.try_emplace({thread, node}, tracks.size());
    if (is_new) tracks.push_back({threads_[thread], nodes_[node], {}});
    return tracks[known->second];
  }

  // A recording of a week has less than a million.
  static constexpr std::size_t kMostLivePoints = 1U << 24;

  const RecordingHeader& header_;
  Detail detail_;
  ProfileBuilder builder_;
  ProcessId process_ = ProcessId::none();
  std::vector<std::string> search_path_;
  std::vector<StringId> strings_;
  std::vector<MetricId> metrics_;
  std::vector<ModuleId> modules_;
  std::vector<FunctionId> functions_;
  std::vector<NodeId> nodes_;
  std::vector<ThreadId> threads_;
  std::vector<ValueRows> pending_;  // by thread: samples since the last checkpoint
  std::vector<ValueRows> settled_;  // by thread, then by node of the recording: checkpoints
  CumulativeTables cumulative_;
  std::map<std::uint32_t, std::vector<Region>> open_regions_;  // by thread, as last said
  boost::unordered_flat_map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> live_tracks_;
  std::size_t live_points_ = 0;
  std::optional<MetricId> samples_metric_;
  std::size_t last_track_ = 0;
  std::int64_t last_time_ = 0;
};

}  // namespace

Profile load_recording(RecordingReader& reader, Detail detail, const Progress& progress,
                       std::uint64_t file_size) {
  RecordingLoader loader(reader.header(), detail);
  while (std::optional<Record> record = reader.next_record()) {
    if (!std::visit(loader, *record)) {
      reader.set_damaged(fmt::format("a record before byte {} refers to something undefined",
                                     reader.bytes_read()));
      break;
    }
    report_progress(progress, "reading byte", reader.bytes_read(), file_size);
  }
  return loader.finish(reader);
}

}  // namespace pyrometer
