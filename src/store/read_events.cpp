// PyroReader::read_events, read_live, read_mpi_calls and read_time_bins: what belongs to single
// processes and threads; and what an analysis left.
#include <algorithm>

#include "store/live_memory.h"
#include "store/mpi_calls.h"
#include "store/pyro_reader.h"
#include "store/words.h"

namespace pyrometer {
namespace {

constexpr std::uint64_t kMaxCounterPoints = 1U << 26;
constexpr std::uint64_t kMaxMpiCalls = 1U << 25;
// By place and moment: more than ten thousand ranks are bounded to when they are merged.
constexpr std::uint64_t kMaxLiveValues = 1U << 27;
// A gigabyte of samples: more than ten thousand ranks with a thousand bins each.
constexpr std::uint64_t kMaxBinSamples = 1U << 26;

}  // namespace

Result<void> PyroReader::read_events(Profile& profile) const {
  PYROMETER_TRY_VOID(
      for_each_row("region", "SELECT * FROM region ORDER BY row", [&](Statement& row) {
        const ThreadId thread(row.u32(1));
        profile.regions.push_back({thread, profile.strings.intern(row.text(2)), row.integer(3),
                                   row.integer(4), row.u32(5), row.integer(6)});
        return thread.row() < profile.threads.size();
      }));
  std::uint64_t left = kMaxCounterPoints;
  bool is_complete = true;
  std::vector<std::int64_t> columns;
  const auto read = [&](Statement& row) {
    const ProcessId process(row.u32(1));
    const auto unit = from_word(row.text(3), Unit::kBytes);
    const std::uint32_t count = row.u32(4);
    const std::int64_t scale = row.integer(5);
    const std::uint32_t planes = row.u32(6);
    if (!unit || process.row() >= profile.processes.size() || count > kPointsPerRow) return false;
    if (count > left) {
      is_complete = false;
      return true;
    }
    left -= count;
    CounterSeries series{process, profile.strings.intern(row.text(2)), *unit, {}};
    columns.assign(std::size_t{count} * 2, 0);
    // No planes: all are zero.
    if (planes != 0 && !decode_tile(scale, planes, row.blob(7), columns)) return false;
    std::uint64_t time = 0;
    for (std::size_t i = 0; i < count; ++i) {
      time += static_cast<std::uint64_t>(columns[i]);
      series.points.emplace_back(static_cast<std::int64_t>(time), columns[count + i]);
    }
    profile.counters.push_back(std::move(series));
    return true;
  };
  PYROMETER_TRY_VOID(for_each_row("counter", "SELECT * FROM counter ORDER BY row", read));
  if (!is_complete) {
    profile.notes.push_back(fmt::format("counters beyond {} points were left out of '{}'",
                                        kMaxCounterPoints, path_.filename().string()));
  }
  return {};
}

Result<void> PyroReader::read_mpi_calls(Profile& profile) const {
  if (version_ < 2) return {};
  std::uint64_t left = kMaxMpiCalls;
  const auto read = [&](Statement& row) {
    const ThreadId thread(row.u32(0));
    const std::uint32_t count = row.u32(1);
    const std::int64_t scale = row.integer(2);
    const std::uint32_t planes = row.u32(3);
    if (thread.row() >= profile.threads.size() || count > left || !row.row_ok()) return false;
    left -= count;
    const auto calls = decode_mpi_calls(thread, count, scale, planes, row.blob(4), profile);
    if (!calls) return false;
    profile.mpi_calls.insert(profile.mpi_calls.end(), calls->begin(), calls->end());
    return true;
  };
  return for_each_row("mpi_calls", "SELECT * FROM mpi_calls ORDER BY thread", read);
}

Result<void> PyroReader::read_live(Profile& profile) const {
  if (version_ < 3) return {};
  std::uint64_t left = kMaxLiveValues;
  bool is_complete = true;
  const auto read = [&](Statement& row) {
    const ThreadId thread(row.u32(0));
    const LiveShape shape{row.u32(1), row.u32(2), row.integer(3), row.integer(4), row.u32(5)};
    const bool makes_sense =
        thread.row() < profile.threads.size() && shape.values() <= kMostLiveValuesPerRow;
    if (!makes_sense || !row.row_ok()) return false;
    if (shape.values() > left) {
      is_complete = false;
      return true;
    }
    left -= shape.values();
    auto tracks = decode_live(thread, shape, row.blob(6), profile);
    if (!tracks) return false;
    std::move(tracks->begin(), tracks->end(), std::back_inserter(profile.live_tracks));
    return true;
  };
  PYROMETER_TRY_VOID(for_each_row("live", "SELECT * FROM live ORDER BY thread", read));
  if (!is_complete) {
    profile.notes.push_back(fmt::format("live memory beyond {} values was left out of '{}'",
                                        kMaxLiveValues, path_.filename().string()));
  }
  return {};
}

Result<void> PyroReader::read_mpi_sites(Profile& profile) const {
  if (version_ < 2) return {};
  const auto read = [&](Statement& row) {
    const NodeId node(row.u32(1));
    profile.mpi_calls.push_back({.thread = ThreadId(0),
                                 .node = node,
                                 .communicator = row.u32(2),
                                 .size_class = row.u32(3),
                                 .calls = row.integer(4),
                                 .time = row.integer(5),
                                 .bytes = row.integer(6),
                                 .quickest = row.integer(7),
                                 .slowest = row.integer(8)});
    return node.row() < profile.nodes.size() && !profile.threads.empty();
  };
  return for_each_row("mpi_site", "SELECT * FROM mpi_site ORDER BY row", read);
}

Result<void> PyroReader::read_time_bins(const Profile& profile, const VisitBins& visit) const {
  if (version_ < 2) return {};
  std::uint64_t left = kMaxBinSamples;
  Result<void> visited;
  const auto read = [&](Statement& row) {
    const ThreadId thread(row.u32(0));
    const std::uint32_t width_bits = row.u32(1);
    const std::int64_t first = row.integer(2);
    const std::uint32_t count = row.u32(3);
    const std::int64_t scale = row.integer(4);
    const std::uint32_t planes = row.u32(5);
    if (thread.row() >= profile.threads.size() || count > left || !row.row_ok()) return false;
    if (width_bits < kLeastWidthBits || width_bits > kMostWidthBits) return false;
    auto bins = decode_time_bins(width_bits, first, count, scale, planes, row.blob(6), profile);
    if (!bins || bins->sample_count() > left) return false;
    left -= bins->sample_count();
    visited = visit(thread, *std::move(bins));
    return visited.has_value();
  };
  auto done = for_each_row("time_bin", "SELECT * FROM time_bin ORDER BY thread", read);
  if (!visited) return visited;
  return done;
}

Result<std::optional<std::string>> PyroReader::read_analysis(std::string_view key) const {
  std::optional<std::string> found;
  if (version_ < 2) return found;
  PYROMETER_TRY_VOID(
      for_each_row("analysis", "SELECT key, data FROM analysis", [&](Statement& row) {
        if (row.text(0) == key) found = row.blob(1);
        return true;
      }));
  return found;
}

}  // namespace pyrometer
