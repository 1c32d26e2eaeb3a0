#include "store/pyro_writer.h"

#include <algorithm>

#include "base/check.h"
#include "profile/value_rows.h"
#include "store/schema.h"
#include "store/words.h"
#include "store/write_tables.h"

namespace pyrometer {
namespace {

Result<void> create_schema(const Database& database) {
  const std::string marks = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                        kPyroApplicationId, kPyroVersion);
  PYROMETER_TRY_VOID(database.execute(marks.c_str()));
  PYROMETER_TRY_VOID(database.execute("BEGIN"));
  for (const Table& table : kTables) PYROMETER_TRY_VOID(database.execute(table.definition));
  for (const char* index : kIndexes) PYROMETER_TRY_VOID(database.execute(index));
  return {};
}

// Differences of times, then values, with the codec of the tiles.
Tile encode_points(std::span<const PyroWriter::Point> points) {
  std::vector<std::int64_t> columns;
  columns.reserve(2 * points.size());
  std::uint64_t last = 0;
  for (const auto& [time, value] : points) {
    columns.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(time) - last));
    last = static_cast<std::uint64_t>(time);
  }
  for (const auto& [time, value] : points) columns.push_back(value);
  return encode_tile(columns);
}

}  // namespace

void PyroWriter::RemoveFile::operator()(const Path* path) const {
  std::error_code ignored;
  std::filesystem::remove(*path, ignored);
  delete path;
}

PyroWriter::PyroWriter(Path output, std::unique_ptr<Path, RemoveFile> temporary, Database database,
                       const MergedTables& tables)
    : output_(std::move(output)),
      temporary_(std::move(temporary)),
      database_(std::move(database)),
      tables_(tables),
      statistics_(tables),
      process_totals_(tables.profile.processes.size() * tables.profile.metrics.size()) {}

Result<PyroWriter> PyroWriter::create(const Path& output, const MergedTables& tables) {
  const Path beside = temporary_beside(output);
  if (const auto created = create_file(beside, ""); !created) {
    return fail(ErrorCode::kIo, "cannot write '{}': {}; choose another folder", output.string(),
                last_error_text());
  }
  std::unique_ptr<Path, RemoveFile> temporary(new Path(beside));
  PYROMETER_TRY(Database database, Database::create(beside, output));
  PYROMETER_TRY_VOID(create_schema(database));
  PYROMETER_TRY_VOID(write_tables(database, tables));
  PyroWriter writer(output, std::move(temporary), std::move(database), tables);
  const Database& db = writer.database_;
  PYROMETER_TRY(Statement tile,
                db.prepare("INSERT INTO tile VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement region, db.prepare("INSERT INTO region VALUES (NULL, ?, ?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement counter,
                db.prepare("INSERT INTO counter VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement message, db.prepare("INSERT INTO message VALUES (NULL, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement mpi_calls, db.prepare("INSERT INTO mpi_calls VALUES (?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement time_bin,
                db.prepare("INSERT INTO time_bin VALUES (?, ?, ?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement live, db.prepare("INSERT INTO live VALUES (?, ?, ?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement analysis, db.prepare("INSERT INTO analysis VALUES (?, ?)"));
  writer.inserts_.emplace(Inserts{std::move(tile), std::move(region), std::move(counter),
                                  std::move(message), std::move(mpi_calls), std::move(time_bin),
                                  std::move(live), std::move(analysis)});
  return writer;
}

Result<void> PyroWriter::write_block(const EncodedBlock& block) {
  const BlockPlace& place = block.place;
  const bool is_in_order = !last_place_ || *last_place_ < place;
  PYROMETER_CHECK(is_in_order);
  last_place_ = place;
  for (const auto& [metric, thread_class, tile] : block.tiles) {
    PYROMETER_TRY_VOID(inserts_->tile.run(name_of(place.subject), metric, name_of(thread_class),
                                          place.item_block, place.process_block, tile.scale,
                                          tile.planes, Blob{tile.data}));
  }
  const std::uint32_t first_process = place.process_block * kProcessesPerBlock;
  const std::vector<Metric>& metrics = tables_.profile.metrics;
  for (const auto& [item, metric, part] : block.statistics) {
    statistics_.append(place.subject, item, metric, first_process, part,
                       combine_of(place.subject, metrics[metric]));
  }
  for (std::size_t i = 0; i < block.process_totals.size(); ++i) {
    std::int64_t& total = process_totals_[first_process * metrics.size() + i];
    total = combined(metrics[i % metrics.size()].combine, total, block.process_totals[i]);
  }
  return {};
}

Result<void> PyroWriter::write_region(const NamedRegion& region) {
  return inserts_->region.run(region.thread.row(), region.name, region.start, region.duration,
                              region.depth, region.value);
}

Result<void> PyroWriter::write_counter(ProcessId process, std::string_view name, Unit unit,
                                       std::span<const Point> points) {
  do {
    const auto row = points.first(std::min(points.size(), kPointsPerRow));
    points = points.subspan(row.size());
    const Tile tile = encode_points(row);
    PYROMETER_TRY_VOID(inserts_->counter.run(process.row(), name, name_of(unit),
                                             static_cast<std::int64_t>(row.size()), tile.scale,
                                             tile.planes, Blob{tile.data}));
  } while (!points.empty());
  return {};
}

Result<void> PyroWriter::write_message(ProcessId process, std::int64_t time, MessageLevel level,
                                       std::string_view text) {
  return inserts_->message.run(process.row(), time, name_of(level), text);
}

Result<void> PyroWriter::write_mpi_calls(ThreadId thread, std::span<const MpiCalls> calls) {
  mpi_sites_.add(calls);
  const Tile tile = encode_mpi_calls(calls);
  return inserts_->mpi_calls.run(thread.row(), static_cast<std::int64_t>(calls.size()), tile.scale,
                                 tile.planes, Blob{tile.data});
}

Result<void> PyroWriter::write_time_bins(ThreadId thread, const TimeBins& bins) {
  if (bins.times.empty()) return {};
  const Tile tile = encode_time_bins(bins);
  return inserts_->time_bin.run(thread.row(), bins.width_bits, bins.times.front().bin,
                                static_cast<std::int64_t>(bins.times.size()), tile.scale,
                                tile.planes, Blob{tile.data});
}

Result<void> PyroWriter::write_live(ThreadId thread, std::span<const LiveTrack> tracks) {
  const EncodedLive live = encode_live(tracks);
  if (live.moments == 0) return {};
  return inserts_->live.run(thread.row(), static_cast<std::int64_t>(tracks.size()), live.moments,
                            live.first, live.tile.scale, live.tile.planes, Blob{live.tile.data});
}

Result<void> PyroWriter::write_analysis(std::string_view key, std::string_view data) {
  return inserts_->analysis.run(key, Blob{data});
}

Result<void> PyroWriter::write_mpi_sites() {
  PYROMETER_TRY(Statement insert, database_.prepare("INSERT INTO mpi_site VALUES "
                                                    "(NULL, ?, ?, ?, ?, ?, ?, ?, ?)"));
  return mpi_sites_.for_each([&](const MpiCalls& calls) {
    return insert.run(calls.node.row(), calls.communicator, calls.size_class, calls.calls,
                      calls.time, calls.bytes, calls.quickest, calls.slowest);
  });
}

Result<void> PyroWriter::write_statistics(Subject subject) {
  PYROMETER_TRY(Statement insert, database_.prepare("INSERT INTO statistics VALUES "
                                                    "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const auto processes = static_cast<std::uint32_t>(tables_.profile.processes.size());
  return statistics_.for_each(
      subject, processes,
      [&](std::uint32_t item, std::uint32_t metric, const ItemStatistics& statistics) {
        return insert.run(name_of(subject), item, metric, statistics.non_zero, statistics.total,
                          static_cast<double>(statistics.sum_of_squares), statistics.minimum,
                          statistics.maximum, statistics.minimum_process,
                          statistics.maximum_process);
      });
}

Result<void> PyroWriter::write_process_totals() {
  PYROMETER_TRY(Statement insert, database_.prepare("INSERT INTO process_total VALUES (?, ?, ?)"));
  const std::size_t metrics = tables_.profile.metrics.size();
  for (std::size_t i = 0; i < process_totals_.size(); ++i) {
    if (process_totals_[i] == 0) continue;
    PYROMETER_TRY_VOID(insert.run(static_cast<std::int64_t>(i / metrics),
                                  static_cast<std::int64_t>(i % metrics), process_totals_[i]));
  }
  return {};
}

Result<void> PyroWriter::finish() {
  // In the order of the primary key, so that pages are filled one after the other.
  for (const Subject subject : {Subject::kEdge, Subject::kLine, Subject::kNode}) {
    PYROMETER_TRY_VOID(write_statistics(subject));
  }
  PYROMETER_TRY_VOID(write_process_totals());
  PYROMETER_TRY_VOID(write_mpi_sites());
  inserts_.reset();
  PYROMETER_TRY_VOID(database_.execute("COMMIT"));
  PYROMETER_TRY_VOID(database_.close());
  PYROMETER_TRY_VOID(move_into_place(*temporary_, output_));
  delete temporary_.release();  // it has its final name: nothing to remove
  return {};
}

}  // namespace pyrometer
