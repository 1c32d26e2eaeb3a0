// A profile as sorted lines of text that name things by what they are, not by row: two
// profiles that say the same give the same lines, whatever the order of their tables.
// Threads are combined to classes, as merged files have them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/value_rows.h"

namespace pyrometer::testing {

class ProfileDescription {
 public:
  explicit ProfileDescription(const Profile& profile) : profile_(profile) {}

  std::vector<std::string> lines() {
    describe_tables();
    describe_processes();
    describe_totals();
    describe_values();
    describe_events();
    std::sort(lines_.begin(), lines_.end());
    return lines_;
  }

  // Only what a summary has.
  std::vector<std::string> summary_lines() {
    describe_tables();
    describe_processes();
    describe_totals();
    std::sort(lines_.begin(), lines_.end());
    return lines_;
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  std::string function_name(FunctionId id) const {
    if (id.is_none()) return "-";
    const Function& f = profile_.functions[id.row()];
    return fmt::format("{}|{}|{}:{}", profile_.text(f.name), profile_.text(f.qualified_name),
                       profile_.text(f.short_file), f.first_line);
  }

  std::string path_of(NodeId id) const {
    if (id.is_none()) return "";
    const Node& node = profile_.nodes[id.row()];
    return fmt::format("{};{}@{}", path_of(node.parent), function_name(node.function), node.line);
  }

  std::string process_name(ProcessId id) const {
    const Process& process = profile_.processes[id.row()];
    return fmt::format("{}/{}/{}", process.rank, process.host, process.source);
  }

  std::string thread_name(ThreadId id) const {
    const Thread& thread = profile_.threads[id.row()];
    return process_name(thread.process) + "/" + std::string(name_of(thread.thread_class));
  }

  const std::string& metric_name(std::size_t row) const { return profile_.metrics[row].name; }

  void describe_tables() {
    for (const Metric& metric : profile_.metrics) {
      add("metric {} {} {}", metric.name, name_of(metric.unit), name_of(metric.combine));
    }
    for (std::size_t i = 0; i < profile_.functions.size(); ++i) {
      const Function& f = profile_.functions[i];
      const bool is_native = !f.module.is_none();
      add("function {} {} column {} module {} {} offset {} id {}", name_of(f.kind),
          function_name(FunctionId::from_index(i)), f.first_column,
          is_native ? profile_.text(profile_.modules[f.module.row()].path) : "",
          is_native ? profile_.modules[f.module.row()].build_id : "", f.offset, f.id.to_string());
    }
    for (std::size_t i = 0; i < profile_.nodes.size(); ++i) {
      add("node {} id {}", path_of(NodeId::from_index(i)), profile_.nodes[i].id.to_string());
    }
    for (const auto& [file, source] : profile_.sources) {
      add("source {} {} {}", profile_.text(file), source.is_hash, source.content);
    }
    for (const std::string& note : profile_.notes) notes_[note] = 1;
    for (const auto& [note, one] : notes_) add("note {}", note);
    add("sampled {} estimated {}", profile_.is_sampled, profile_.paths_are_estimated);
  }

  void describe_processes() {
    for (const Process& p : profile_.processes) {
      add("process {}/{}/{} of {} pid {} parent {} start {} duration {} clock {} status {} exit {} "
          "trouble {} attributes {}",
          p.rank, p.host, p.source, p.world_size, p.pid, p.parent_pid, p.start, p.duration, p.clock,
          static_cast<int>(p.status), p.exit_status.value_or(-999), p.trouble, p.attributes);
    }
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> spans;
    for (std::size_t i = 0; i < profile_.threads.size(); ++i) {
      const Thread& thread = profile_.threads[i];
      const auto [found, inserted] =
          spans.try_emplace(thread_name(ThreadId::from_index(i)), thread.start, thread.end);
      auto& [start, end] = found->second;
      start = std::min(start, thread.start);
      end = end == 0 || thread.end == 0 ? 0 : std::max(end, thread.end);
    }
    for (const auto& [name, span] : spans) add("thread {} {} {}", name, span.first, span.second);
  }

  void describe_totals() {
    for (std::size_t metric = 0; metric < profile_.metrics.size(); ++metric) {
      for (std::size_t node = 0; node < profile_.nodes.size(); ++node) {
        add("total {} {} {}", metric_name(metric), path_of(NodeId::from_index(node)),
            profile_.node_totals[metric][node]);
      }
      for (std::size_t i = 0; i < profile_.processes.size(); ++i) {
        add("of process {} {} {}", metric_name(metric), process_name(ProcessId::from_index(i)),
            profile_.process_totals[i][metric]);
      }
    }
  }

  void combine(const std::string& key, Combine combine, std::int64_t value) {
    const auto [found, inserted] = values_.try_emplace(key, value);
    if (!inserted) found->second = combined(combine, found->second, value);
  }

  void describe_values() {
    for (std::size_t i = 0; i < profile_.thread_cells.size(); ++i) {
      for (std::size_t metric = 0; metric < profile_.metrics.size(); ++metric) {
        for (const Cell& cell : profile_.thread_cells[i][metric]) {
          combine(fmt::format("cell {} {} {}", thread_name(ThreadId::from_index(i)),
                              metric_name(metric), path_of(cell.node)),
                  profile_.metrics[metric].combine, cell.value);
        }
      }
    }
    for (const LineValue& line : profile_.line_values) {
      combine(fmt::format("line {} {} {}:{}", thread_name(line.thread),
                          metric_name(line.metric.row()), function_name(line.function), line.line),
              profile_.metrics[line.metric.row()].combine, line.value);
    }
    for (const FlatValue& flat : profile_.flat_values) {
      const std::string key = fmt::format("edge {} {} {} -> {}", thread_name(flat.thread),
                                          metric_name(flat.metric.row()),
                                          function_name(flat.caller), function_name(flat.callee));
      combine(key + " self", Combine::kSum, flat.self);
      combine(key + " total", Combine::kSum, flat.total);
    }
    for (const MpiCalls& calls : profile_.mpi_calls) {
      const std::string key =
          fmt::format("mpi {} {} of {} class {}", thread_name(calls.thread), path_of(calls.node),
                      calls.communicator, calls.size_class);
      combine(key + " calls", Combine::kSum, calls.calls);
      combine(key + " time", Combine::kSum, calls.time);
      combine(key + " bytes", Combine::kSum, calls.bytes);
      combine(key + " quickest, negative", Combine::kMax, -calls.quickest);
      combine(key + " slowest", Combine::kMax, calls.slowest);
    }
    for (const auto& [key, value] : values_) {
      if (value != 0) add("{} = {}", key, value);
    }
  }

  void describe_events() {
    for (const Region& region : profile_.regions) {
      add("region {} {} {} {} {} {}", thread_name(region.thread), profile_.text(region.name),
          region.start, region.duration, region.depth, region.value);
    }
    for (const CounterSeries& series : profile_.counters) {
      add("counter {} {} {} {}", process_name(series.process), profile_.text(series.name),
          name_of(series.unit), series.points);
    }
    for (const LiveTrack& track : profile_.live_tracks) {
      add("live {} {} {}", thread_name(track.thread), path_of(track.node), track.points);
    }
    for (const Message& message : profile_.messages) {
      add("message {} {} {} {}", process_name(message.process), message.time,
          name_of(message.level), message.text);
    }
  }

  const Profile& profile_;
  std::vector<std::string> lines_;
  std::map<std::string, std::int64_t> values_;
  std::map<std::string, int> notes_;
};

inline std::vector<std::string> describe(const Profile& profile) {
  return ProfileDescription(profile).lines();
}
inline std::vector<std::string> describe_summary(const Profile& profile) {
  return ProfileDescription(profile).summary_lines();
}

}  // namespace pyrometer::testing
