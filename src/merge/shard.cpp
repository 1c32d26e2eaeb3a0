#include "merge/shard.h"

#include <algorithm>

#include "merge/events.h"

namespace pyrometer {
namespace {

// The lines or edges that have values, each once, in the order of their rows.
template <class Item, class Value>
std::vector<Item> distinct(const std::vector<Value>& values, Item (*item_of)(const Value&)) {
  std::vector<Item> items;
  items.reserve(values.size());
  std::transform(values.begin(), values.end(), std::back_inserter(items), item_of);
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

template <class Item>
std::size_t index_of(const std::vector<Item>& items, const Item& item) {
  return static_cast<std::size_t>(std::lower_bound(items.begin(), items.end(), item) -
                                  items.begin());
}

LineItem line_of(const LineValue& value) { return {value.function, value.line}; }
EdgeItem edge_of(const FlatValue& value) { return {value.caller, value.callee}; }

void add_values(const MergedTables& tables, Packer& packer) {
  const Profile& profile = tables.profile;
  for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
    const Thread& thread = profile.threads[i];
    for (std::uint32_t metric = 0; metric < profile.metrics.size(); ++metric) {
      for (const Cell& cell : profile.thread_cells[i][metric]) {
        packer.add(thread.process.row(), Subject::kNode, cell.node.row(), metric,
                   thread.thread_class, cell.value);
      }
    }
  }
  const auto add = [&](Subject subject, std::size_t item, const auto& value, std::int64_t number) {
    const Thread& thread = profile.threads[value.thread.row()];
    packer.add(thread.process.row(), subject, item, value.metric.row(), thread.thread_class,
               number);
  };
  for (const LineValue& value : profile.line_values) {
    add(Subject::kLine, index_of(tables.lines, line_of(value)), value, value.value);
  }
  for (const FlatValue& value : profile.flat_values) {
    const std::size_t item = index_of(tables.edges, edge_of(value)) * kItemsPerEdge;
    add(Subject::kEdge, item, value, value.self);
    add(Subject::kEdge, item + 1, value, value.total);
  }
}

// Processes and thread classes, still without values.
std::vector<ShardProcess> processes_of(const Profile& profile) {
  std::vector<ShardProcess> processes;
  for (const Process& process : profile.processes) processes.push_back({process, {}, {}, {}});
  for (const Thread& thread : profile.threads) {
    auto& span =
        processes[thread.process.row()].classes[static_cast<std::size_t>(thread.thread_class)];
    if (!span) {
      span = {thread.start, thread.end};
      continue;
    }
    span->start = std::min(span->start, thread.start);
    span->end = span->end == 0 || thread.end == 0 ? 0 : std::max(span->end, thread.end);
  }
  return processes;
}

}  // namespace

Result<void> Shard::add(Profile profile) {
  MergedTables tables;
  tables.lines = distinct(profile.line_values, line_of);
  tables.edges = distinct(profile.flat_values, edge_of);
  tables.profile = std::move(profile);
  const CanonicalOrder order = canonical_order(tables);
  PYROMETER_TRY(const RowMaps rows, structure_.add(tables, order));
  Packer packer(tables, order, rows, structure_.tables());
  add_values(tables, packer);
  std::vector<std::string> events = pack_events(tables.profile);
  std::vector<ShardProcess> processes = processes_of(tables.profile);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    PYROMETER_TRY_VOID(put_aside(packer, i, std::move(events[i]), processes[i]));
    processes_.push_back(std::move(processes[i]));
  }
  return {};
}

Result<void> Shard::add(const PyroReader& reader) {
  PYROMETER_TRY(MergedTables tables, reader.read_tables());
  PYROMETER_TRY_VOID(reader.read_events(tables.profile));
  const CanonicalOrder order = canonical_order(tables);
  PYROMETER_TRY(const RowMaps rows, structure_.add(tables, order));
  Packer packer(tables, order, rows, structure_.tables());
  std::vector<std::string> events = pack_events(tables.profile);
  std::vector<ShardProcess> processes = processes_of(tables.profile);
  std::size_t done = 0;  // processes whose blocks have all come
  const auto put_aside_until = [&](std::size_t end) -> Result<void> {
    for (; done < std::min(end, processes.size()); ++done) {
      PYROMETER_TRY_VOID(put_aside(packer, done, std::move(events[done]), processes[done]));
    }
    return {};
  };
  const auto add_tile = [&](const TilePlace& place,
                            std::span<const std::int64_t> values) -> Result<void> {
    const auto [process_block, subject, item_block] = place.block;
    const std::size_t first = std::size_t{process_block} * kProcessesPerBlock;
    const std::size_t count = rows_in_block(processes.size(), process_block, kProcessesPerBlock);
    PYROMETER_TRY_VOID(put_aside_until(first));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0) continue;
      const std::size_t process = first + i % count;
      if (!processes[process].classes[static_cast<std::size_t>(place.thread_class)]) {
        return reader.damaged("a value has no thread");
      }
      packer.add(process, subject, std::size_t{item_block} * kItemsPerBlock + i / count,
                 place.metric, place.thread_class, values[i]);
    }
    return {};
  };
  PYROMETER_TRY_VOID(reader.read_tiles(tables, add_tile));
  PYROMETER_TRY_VOID(put_aside_until(processes.size()));
  std::move(processes.begin(), processes.end(), std::back_inserter(processes_));
  return {};
}

Result<void> Shard::put_aside(Packer& packer, std::size_t process, std::string events,
                              ShardProcess& into) {
  PYROMETER_TRY(into.values, packer.pack(process, spool_));
  if (events.empty()) return {};
  into.values.digest += content_id(events).low;
  PYROMETER_TRY(into.events, spool_.append(std::move(events)));
  return {};
}

}  // namespace pyrometer
