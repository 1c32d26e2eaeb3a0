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

// How long processes waited in MPI takes all of them to know: such values of processes whose MPI
// calls are known are left out, and derived when the merged file is written.
class DerivedWaits {
 public:
  explicit DerivedWaits(const Profile& profile)
      : metric_(profile.find_metric(metric::kMpiWait)), has_calls_(profile.processes.size()) {
    for (const MpiCalls& calls : profile.mpi_calls) {
      has_calls_[profile.threads[calls.thread.row()].process.row()] = true;
    }
  }
  bool has(std::size_t process, Subject subject, std::uint32_t metric) const {
    return subject == Subject::kNode && metric_ == MetricId(metric) && has_calls_[process];
  }

 private:
  std::optional<MetricId> metric_;
  std::vector<bool> has_calls_;  // by process
};

void note_mpi_calls(MergedTables& tables) {
  Profile& profile = tables.profile;
  if (profile.mpi_calls.empty()) return;
  if (!profile.find_metric(metric::kMpiWait)) {
    profile.metrics.push_back({std::string(metric::kMpiWait), Unit::kNanoseconds});
  }
  for (const MpiCalls& calls : profile.mpi_calls) {
    tables.quickest_calls.push_back({profile.nodes[calls.node.row()].function, calls.communicator,
                                     calls.size_class, calls.quickest});
  }
}

void add_values(const MergedTables& tables, Packer& packer) {
  const Profile& profile = tables.profile;
  const DerivedWaits waits(profile);
  for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
    const Thread& thread = profile.threads[i];
    for (std::uint32_t metric = 0; metric < profile.thread_cells[i].size(); ++metric) {
      if (waits.has(thread.process.row(), Subject::kNode, metric)) continue;
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
  for (const Process& process : profile.processes) processes.push_back({{process, {}, 0}, {}});
  for (const Thread& thread : profile.threads) {
    auto& span = processes[thread.process.row()]
                     .facts.classes[static_cast<std::size_t>(thread.thread_class)];
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
  note_mpi_calls(tables);
  const CanonicalOrder order = canonical_order(tables);
  PYROMETER_TRY(const RowMaps rows, structure_.add(tables, order));
  Packer packer(tables, order, rows, structure_.tables());
  add_values(tables, packer);
  std::vector<std::string> events = pack_events(tables.profile);
  std::vector<ProcessDetails> details = details_of(tables.profile);
  std::vector<ShardProcess> processes = processes_of(tables.profile);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    PYROMETER_TRY_VOID(put_details_aside(tables, rows, details[i], processes[i]));
    PYROMETER_TRY_VOID(put_aside(packer, i, std::move(events[i]), processes[i]));
    processes_.push_back(std::move(processes[i]));
  }
  return {};
}

Result<void> Shard::add(const PyroReader& reader, const IsWanted& is_wanted) {
  PYROMETER_TRY(MergedTables tables, reader.read_tables());
  PYROMETER_TRY_VOID(reader.read_mpi_calls(tables.profile));
  PYROMETER_TRY_VOID(reader.read_events(tables.profile));
  PYROMETER_TRY_VOID(reader.read_live(tables.profile));
  note_mpi_calls(tables);
  const CanonicalOrder order = canonical_order(tables);
  PYROMETER_TRY(const RowMaps rows, structure_.add(tables, order));
  Packer packer(tables, order, rows, structure_.tables());
  std::vector<std::string> events = pack_events(tables.profile);
  std::vector<ShardProcess> processes = processes_of(tables.profile);
  std::vector<bool> wanted(processes.size(), true);
  for (std::size_t i = 0; is_wanted && i < wanted.size(); ++i) {
    wanted[i] = is_wanted(tables.profile.processes[i]);
  }
  PYROMETER_TRY_VOID(put_bins_aside(reader, tables, rows, processes));
  const DerivedWaits waits(tables.profile);
  std::size_t done = 0;  // processes whose blocks have all come
  const auto put_aside_until = [&](std::size_t end) -> Result<void> {
    for (; done < std::min(end, processes.size()); ++done) {
      if (!wanted[done]) continue;
      PYROMETER_TRY_VOID(put_aside(packer, done, std::move(events[done]), processes[done]));
      processes_.push_back(std::move(processes[done]));
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
      const std::size_t process = first + i % count;
      if (values[i] == 0 || !wanted[process] || waits.has(process, subject, place.metric)) continue;
      if (!processes[process].facts.classes[static_cast<std::size_t>(place.thread_class)]) {
        return reader.damaged("a value has no thread");
      }
      packer.add(process, subject, std::size_t{item_block} * kItemsPerBlock + i / count,
                 place.metric, place.thread_class, values[i]);
    }
    return {};
  };
  PYROMETER_TRY_VOID(reader.read_tiles(tables, add_tile));
  return put_aside_until(processes.size());
}

// MPI calls, live memory and bins come in the order of the threads, process by process.
Result<void> Shard::put_bins_aside(const PyroReader& reader, const MergedTables& file,
                                   const RowMaps& rows, std::vector<ShardProcess>& processes) {
  const Profile& profile = file.profile;
  auto calls = profile.mpi_calls.begin();
  auto live = profile.live_tracks.begin();
  std::size_t at = 0;
  ProcessDetails details;
  // Moves on to what belongs to another process.
  const auto take = [&](auto& next, auto end, auto ClassDetails::*list) {
    for (; next != end; ++next) {
      const Thread& thread = profile.threads[next->thread.row()];
      if (thread.process.row() != at) break;
      (details[static_cast<std::size_t>(thread.thread_class)].*list).push_back(*next);
    }
  };
  const auto put_aside_until = [&](std::size_t end) -> Result<void> {
    for (; at < end; ++at) {
      take(calls, profile.mpi_calls.end(), &ClassDetails::mpi_calls);
      take(live, profile.live_tracks.end(), &ClassDetails::live);
      PYROMETER_TRY_VOID(put_details_aside(file, rows, details, processes[at]));
      details = {};
    }
    return {};
  };
  const auto add_bins = [&](ThreadId thread_id, TimeBins bins) -> Result<void> {
    const Thread& thread = profile.threads[thread_id.row()];
    PYROMETER_TRY_VOID(put_aside_until(thread.process.row()));
    details[static_cast<std::size_t>(thread.thread_class)].bins = std::move(bins);
    return {};
  };
  PYROMETER_TRY_VOID(reader.read_time_bins(profile, add_bins));
  return put_aside_until(processes.size());
}

Result<void> Shard::put_details_aside(const MergedTables& file, const RowMaps& rows,
                                      const ProcessDetails& details, ShardProcess& into) {
  PackedDetails packed = pack_details(details, file, rows);
  into.facts.digest += packed.digest;
  if (packed.bytes.empty()) return {};
  PYROMETER_TRY(into.pieces.details, spool_.append(std::move(packed.bytes)));
  return {};
}

Result<void> Shard::put_aside(Packer& packer, std::size_t process, std::string events,
                              ShardProcess& into) {
  PYROMETER_TRY(Packer::Packed packed, packer.pack(process, spool_));
  into.pieces.values = std::move(packed.pieces);
  into.facts.digest += packed.digest;
  if (events.empty()) return {};
  into.facts.digest += content_id(events).low;
  PYROMETER_TRY(into.pieces.events, spool_.append(std::move(events)));
  return {};
}

}  // namespace pyrometer
