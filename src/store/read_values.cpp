// PyroReader::read_tiles and read_totals; and read_pyro, which puts everything into one Profile.
#include <algorithm>
#include <optional>

#include "profile/totals.h"
#include "store/pyro_reader.h"
#include "store/words.h"

namespace pyrometer {
namespace {

// Two gigabytes of cells: ten thousand ranks of a large program. Beyond it, the summary.
constexpr std::uint64_t kMaxValues = 1U << 27;

// Puts the values of tiles into a Profile's lists.
class ProfileFiller {
 public:
  ProfileFiller(const PyroReader& reader, MergedTables& tables)
      : reader_(reader),
        tables_(tables),
        profile_(tables.profile),
        threads_(profile_.processes.size() * kThreadClasses, ThreadId::none()),
        has_value_(tables.edges.size()) {
    for (std::size_t i = 0; i < profile_.threads.size(); ++i) {
      const Thread& thread = profile_.threads[i];
      threads_[thread.process.row() * kThreadClasses +
               static_cast<std::size_t>(thread.thread_class)] = ThreadId::from_index(i);
    }
    profile_.thread_cells.assign(profile_.threads.size(), ThreadCells(profile_.metrics.size()));
  }

  Result<void> add(const TilePlace& place, std::span<const std::int64_t> values) {
    const auto processes =
        rows_in_block(profile_.processes.size(), place.block.process_block, kProcessesPerBlock);
    const std::size_t items = values.size() / processes;
    const std::size_t step = place.block.subject == Subject::kEdge ? kItemsPerEdge : 1;
    for (std::size_t item = 0; item < items; item += step) {
      for (std::size_t process = 0; process < processes; ++process) {
        const std::int64_t value = values[item * processes + process];
        const std::int64_t total = values[(item + step - 1) * processes + process];
        if (value == 0 && total == 0) continue;
        const std::size_t row = place.block.process_block * kProcessesPerBlock + process;
        const ThreadId thread =
            threads_[row * kThreadClasses + static_cast<std::size_t>(place.thread_class)];
        if (thread.is_none()) return reader_.damaged("a value has no thread");
        if (++count_ > kMaxValues) {
          return fail(ErrorCode::kTooLarge,
                      "more than {} values cannot be held in memory; ask for a summary or merge "
                      "fewer ranks",
                      kMaxValues);
        }
        const std::size_t place_of_item =
            place.block.item_block * std::size_t{kItemsPerBlock} + item;
        add_value(place, thread, place_of_item, value, total);
      }
    }
    return {};
  }

  // Call edges that some source lists with nothing but zeros stay listed.
  void list_edges_without_values() {
    if (profile_.flat_values.empty()) return;
    const FlatValue any = profile_.flat_values.front();
    for (std::size_t i = 0; i < tables_.edges.size(); ++i) {
      const EdgeItem& edge = tables_.edges[i];
      if (has_value_[i]) continue;
      profile_.flat_values.push_back({any.thread, any.metric, edge.caller, edge.callee, 0, 0});
    }
  }

 private:
  void add_value(const TilePlace& place, ThreadId thread, std::size_t item, std::int64_t value,
                 std::int64_t total) {
    const MetricId metric(place.metric);
    switch (place.block.subject) {
      case Subject::kNode:
        profile_.thread_cells[thread.row()][place.metric].push_back(
            {NodeId::from_index(item), value});
        break;
      case Subject::kLine: {
        const LineItem& line = tables_.lines[item];
        profile_.line_values.push_back({thread, metric, line.function, line.line, value});
        break;
      }
      case Subject::kEdge: {
        const EdgeItem& edge = tables_.edges[item / kItemsPerEdge];
        has_value_[item / kItemsPerEdge] = true;
        profile_.flat_values.push_back({thread, metric, edge.caller, edge.callee, value, total});
        break;
      }
    }
  }

  const PyroReader& reader_;
  MergedTables& tables_;
  Profile& profile_;
  std::vector<ThreadId> threads_;  // by process and class
  std::vector<bool> has_value_;    // by edge
  std::uint64_t count_ = 0;
};

Result<void> add_samples(const PyroReader& reader, Profile& profile) {
  return reader.read_time_bins(profile, [&](ThreadId thread, const TimeBins& bins) {
    profile.samples.push_back(make_sample_track(profile, thread, bins));
    return Result<void>();
  });
}

}  // namespace

Result<void> PyroReader::read_tiles(const MergedTables& tables, const VisitTile& visit) const {
  std::optional<TilePlace> last;
  std::vector<std::int64_t> values;
  Result<void> visited;
  const auto read = [&](Statement& row) {
    const auto subject = from_word(row.text(1), Subject::kEdge);
    const auto thread_class = from_word(row.text(3), ThreadClass::kNative);
    if (!subject || !thread_class) return false;
    const TilePlace place{{row.u32(5), *subject, row.u32(4)}, row.u32(2), *thread_class};
    const std::size_t items =
        rows_in_block(tables.item_count(*subject), place.block.item_block, kItemsPerBlock);
    const std::size_t processes = rows_in_block(tables.profile.processes.size(),
                                                place.block.process_block, kProcessesPerBlock);
    const std::int64_t scale = row.integer(6);
    const std::uint32_t planes = row.u32(7);
    const std::string_view data = row.blob(8);
    if (items * processes == 0 || place.metric >= tables.profile.metrics.size()) return false;
    // Also refuses a tile that comes twice.
    if ((last && place <= *last) || !row.row_ok()) return false;
    last = place;
    values.resize(items * processes);
    if (!decode_tile(scale, planes, data, values)) return false;
    visited = visit(place, values);
    return visited.has_value();
  };
  auto done = for_each_row("tile", "SELECT * FROM tile ORDER BY row", read);
  if (!visited) return visited;
  return done;
}

Result<void> PyroReader::read_totals(MergedTables& tables) const {
  Profile& profile = tables.profile;
  const std::size_t metrics = profile.metrics.size();
  profile.node_totals.assign(metrics, std::vector<std::int64_t>(profile.nodes.size()));
  profile.process_totals.assign(profile.processes.size(), std::vector<std::int64_t>(metrics));
  PYROMETER_TRY_VOID(for_each_row(
      "statistics", "SELECT subject, item, metric, total FROM statistics", [&](Statement& row) {
        const auto subject = from_word(row.text(0), Subject::kEdge);
        const std::uint32_t item = row.u32(1);
        const std::uint32_t metric = row.u32(2);
        if (!subject || item >= tables.item_count(*subject) || metric >= metrics) return false;
        const std::int64_t total = row.integer(3);
        if (*subject == Subject::kNode) profile.node_totals[metric][item] = total;
        if (*subject != Subject::kLine) return true;
        const LineItem& line = tables.lines[item];
        profile.line_values.push_back(
            {ThreadId(0), MetricId(metric), line.function, line.line, total});
        return !profile.threads.empty();
      }));
  PYROMETER_TRY_VOID(for_each_row("region", "SELECT 1 FROM region LIMIT 1",
                                  [&](Statement&) { return profile.leaves_out_regions = true; }));
  PYROMETER_TRY_VOID(for_each_row("counter", "SELECT 1 FROM counter LIMIT 1",
                                  [&](Statement&) { return profile.leaves_out_counters = true; }));
  if (version_ >= 2) {
    PYROMETER_TRY_VOID(for_each_row("time_bin", "SELECT 1 FROM time_bin LIMIT 1",
                                    [&](Statement&) { return profile.leaves_out_samples = true; }));
  }
  PYROMETER_TRY_VOID(read_mpi_sites(profile));
  return for_each_row("process_total", "SELECT * FROM process_total", [&](Statement& row) {
    const std::uint32_t process = row.u32(0);
    const std::uint32_t metric = row.u32(1);
    if (process >= profile.processes.size() || metric >= metrics) return false;
    profile.process_totals[process][metric] = row.integer(2);
    return true;
  });
}

Result<Profile> read_pyro(const Path& path, Detail detail) {
  PYROMETER_TRY(const PyroReader reader, PyroReader::open(path));
  PYROMETER_TRY(MergedTables tables, reader.read_tables());
  Profile& profile = tables.profile;
  if (detail < Detail::kValues && tables.edges.empty()) {
    PYROMETER_TRY_VOID(reader.read_totals(tables));
    if (detail == Detail::kSummary) return std::move(profile);
    PYROMETER_TRY_VOID(reader.read_events(profile));
    PYROMETER_TRY_VOID(reader.read_live(profile));
    profile.leaves_out_regions = profile.leaves_out_counters = false;
    return std::move(profile);
  }
  ProfileFiller filler(reader, tables);
  PYROMETER_TRY_VOID(
      reader.read_tiles(tables, [&](const TilePlace& place, std::span<const std::int64_t> values) {
        return filler.add(place, values);
      }));
  filler.list_edges_without_values();
  PYROMETER_TRY_VOID(reader.read_mpi_calls(profile));
  PYROMETER_TRY_VOID(reader.read_events(profile));
  PYROMETER_TRY_VOID(reader.read_live(profile));
  if (detail >= Detail::kSamples) PYROMETER_TRY_VOID(add_samples(reader, profile));
  compute_totals(profile);
  return std::move(profile);
}

}  // namespace pyrometer
