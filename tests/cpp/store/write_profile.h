// Writes a profile as it is, row by row, when its threads are already classes.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "store/pyro_writer.h"

namespace pyrometer::testing {

class ProfileFile {
 public:
  explicit ProfileFile(Profile profile) {
    std::set<LineItem> lines;
    std::set<EdgeItem> edges;
    for (const LineValue& value : profile.line_values) lines.insert({value.function, value.line});
    for (const FlatValue& value : profile.flat_values) edges.insert({value.caller, value.callee});
    tables_.lines.assign(lines.begin(), lines.end());
    tables_.edges.assign(edges.begin(), edges.end());
    tables_.profile = std::move(profile);
  }

  Result<void> write(const Path& path) {
    collect();
    PYROMETER_TRY(PyroWriter writer, PyroWriter::create(path, tables_));
    for (const auto& [place, block] : blocks_) {
      PYROMETER_TRY_VOID(writer.write_block(block.encode()));
    }
    const Profile& profile = tables_.profile;
    for (const Region& region : profile.regions) {
      PYROMETER_TRY_VOID(
          writer.write_region({region.thread, profile.text(region.name), region.start,
                               region.duration, region.depth, region.value}));
    }
    for (const CounterSeries& series : profile.counters) {
      PYROMETER_TRY_VOID(writer.write_counter(series.process, profile.text(series.name),
                                              series.unit, series.points));
    }
    for (const Message& message : profile.messages) {
      PYROMETER_TRY_VOID(
          writer.write_message(message.process, message.time, message.level, message.text));
    }
    return writer.finish();
  }

 private:
  void collect() {
    const Profile& profile = tables_.profile;
    blocks_.clear();
    for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
      for (std::uint32_t metric = 0; metric < profile.metrics.size(); ++metric) {
        for (const Cell& cell : profile.thread_cells[i][metric]) {
          set(ThreadId::from_index(i), Subject::kNode, cell.node.row(), metric, cell.value);
        }
      }
    }
    for (const LineValue& value : profile.line_values) {
      const auto item = row_in(tables_.lines, LineItem{value.function, value.line});
      set(value.thread, Subject::kLine, item, value.metric.row(), value.value);
    }
    for (const FlatValue& value : profile.flat_values) {
      const auto item = row_in(tables_.edges, EdgeItem{value.caller, value.callee}) * kItemsPerEdge;
      set(value.thread, Subject::kEdge, item, value.metric.row(), value.self);
      set(value.thread, Subject::kEdge, item + 1, value.metric.row(), value.total);
    }
  }

  template <class Item>
  static std::uint32_t row_in(const std::vector<Item>& items, const Item& item) {
    return static_cast<std::uint32_t>(std::find(items.begin(), items.end(), item) - items.begin());
  }

  void set(ThreadId thread_id, Subject subject, std::uint32_t item, std::uint32_t metric,
           std::int64_t value) {
    const Thread& thread = tables_.profile.threads[thread_id.row()];
    const std::uint32_t process = thread.process.row();
    const BlockPlace place{process / kProcessesPerBlock, subject, item / kItemsPerBlock};
    blocks_.try_emplace(place, tables_, place)
        .first->second.set(item % kItemsPerBlock, process % kProcessesPerBlock, thread.thread_class,
                           metric, value);
  }

  MergedTables tables_;
  std::map<BlockPlace, ValueBlock> blocks_;
};

inline Result<void> write_profile(Profile profile, const Path& path) {
  return ProfileFile(std::move(profile)).write(path);
}

}  // namespace pyrometer::testing
