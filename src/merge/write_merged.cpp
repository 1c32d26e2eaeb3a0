#include "merge/write_merged.h"

#include <algorithm>
#include <deque>
#include <future>
#include <thread>
#include <tuple>

#include "merge/events.h"
#include "merge/panel.h"
#include "store/pyro_writer.h"

namespace pyrometer {
namespace {

// A process and the shard that has its values.
struct Placed {
  std::size_t shard;
  ShardProcess* process;
};

// By rank, host, start, pid and source; the rest decides between processes that nothing
// else tells apart. Those equal in everything may stand either way.
auto sort_key(const Placed& placed) {
  const Process& p = placed.process->process;
  return std::tuple(std::tie(p.rank, p.host, p.start, p.pid, p.source),
                    std::tie(p.parent_pid, p.world_size, p.duration, p.status, p.exit_status,
                             p.trouble, p.attributes, placed.process->values.digest));
}

std::vector<Placed> sorted_processes(std::span<Shard> shards) {
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    for (ShardProcess& process : shards[i].processes()) placed.push_back({i, &process});
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return sort_key(a) < sort_key(b); });
  return placed;
}

void add_processes(const std::vector<Placed>& processes, Profile& profile) {
  for (const Placed& placed : processes) {
    const ProcessId process = ProcessId::from_index(profile.processes.size());
    profile.processes.push_back(std::move(placed.process->process));
    for (std::size_t i = 0; i < kThreadClasses; ++i) {
      const auto& span = placed.process->classes[i];
      if (!span) continue;
      const auto thread_class = static_cast<ThreadClass>(i);
      profile.threads.push_back({.process = process,
                                 .thread_class = thread_class,
                                 .tid = 0,
                                 .name = profile.strings.intern(name_of(thread_class)),
                                 .start = span->start,
                                 .end = span->end});
    }
  }
}

std::vector<std::uint32_t> composed(const std::vector<std::uint32_t>& first,
                                    const std::vector<std::uint32_t>& second) {
  std::vector<std::uint32_t> result(first.size());
  std::transform(first.begin(), first.end(), result.begin(),
                 [&](std::uint32_t row) { return second[row]; });
  return result;
}

RowMaps composed(const RowMaps& first, const RowMaps& second) {
  RowMaps result{composed(first.metrics, second.metrics), {}};
  for (std::size_t i = 0; i < kSubjects; ++i) {
    result.items[i] = composed(first.items[i], second.items[i]);
  }
  return result;
}

// The structure of all shards in its final order, and where each shard's rows are in it.
struct Structure {
  MergedTables tables;
  std::vector<RowMaps> rows;  // by shard
};

Result<Structure> join_structure(std::span<const Shard> shards) {
  StructureUnion all;
  std::vector<RowMaps> in_union;
  for (const Shard& shard : shards) {
    PYROMETER_TRY(RowMaps rows, all.add(shard.tables(), canonical_order(shard.tables())));
    in_union.push_back(std::move(rows));
  }
  SortedTables sorted = sort_tables(all.tables());
  Structure structure{std::move(sorted.tables), {}};
  for (const RowMaps& rows : in_union) structure.rows.push_back(composed(rows, sorted.rows));
  return structure;
}

Result<void> check_size(const Profile& profile) {
  const std::size_t most = std::max(profile.nodes.size(), profile.processes.size());
  if (most * (profile.metrics.size() + 1) > kMaxMergedTotals) {
    return fail(ErrorCode::kTooLarge,
                "{} call paths and {} processes with {} metrics are more than one merged file "
                "can hold; merge fewer",
                profile.nodes.size(), profile.processes.size(), profile.metrics.size());
  }
  return {};
}

// Blocks are encoded on all cores while the next ones are read, and written in their order.
Result<void> write_values(Panel& panel, PyroWriter& writer) {
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  std::deque<std::future<EncodedBlock>> encoding;
  const auto write_next = [&]() -> Result<void> {
    const EncodedBlock block = encoding.front().get();
    encoding.pop_front();
    return writer.write_block(block);
  };
  while (true) {
    PYROMETER_TRY(std::optional<ValueBlock> block, panel.next_block());
    if (!block) break;
    if (encoding.size() == most) PYROMETER_TRY_VOID(write_next());
    encoding.push_back(
        std::async(std::launch::async, [moved = *std::move(block)] { return moved.encode(); }));
  }
  while (!encoding.empty()) PYROMETER_TRY_VOID(write_next());
  return {};
}

}  // namespace

Result<MergedCounts> write_merged(std::span<Shard> shards, const Path& output,
                                  const Progress& progress) {
  PYROMETER_TRY(Structure structure, join_structure(shards));
  const std::vector<Placed> processes = sorted_processes(shards);
  add_processes(processes, structure.tables.profile);
  PYROMETER_TRY_VOID(check_size(structure.tables.profile));
  PYROMETER_TRY(PyroWriter writer, PyroWriter::create(output, structure.tables));

  for (std::size_t first = 0; first < processes.size(); first += kProcessesPerBlock) {
    report_progress(progress, "writing", first, processes.size());
    const std::size_t count = std::min<std::size_t>(kProcessesPerBlock, processes.size() - first);
    const auto of_panel = std::span(processes).subspan(first, count);
    std::vector<PanelProcess> inputs;
    for (const Placed& placed : of_panel) {
      inputs.push_back({&shards[placed.shard].spool(), placed.process->values.pieces,
                        &structure.rows[placed.shard]});
    }
    const auto block = static_cast<std::uint32_t>(first / kProcessesPerBlock);
    PYROMETER_TRY(Panel panel, Panel::open(structure.tables, block, inputs));
    PYROMETER_TRY_VOID(write_values(panel, writer));
    for (std::size_t i = 0; i < count; ++i) {
      const Spool::Piece& events = of_panel[i].process->events;
      if (events.size == 0) continue;
      PYROMETER_TRY(const std::string packed, shards[of_panel[i].shard].spool().take(events));
      PYROMETER_TRY_VOID(
          write_events(packed, structure.tables, ProcessId::from_index(first + i), writer));
    }
  }
  PYROMETER_TRY_VOID(writer.finish());
  report_progress(progress, "writing", processes.size(), processes.size());
  const Profile& profile = structure.tables.profile;
  return MergedCounts{profile.processes.size(), profile.functions.size(), profile.nodes.size()};
}

}  // namespace pyrometer
