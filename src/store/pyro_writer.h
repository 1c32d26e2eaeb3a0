// Writes a merged file with little memory: the tables first, then values block by block and
// events process by process. Nothing is seen under the output's name before finish(); an
// unfinished file is removed. The same calls always give the same bytes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "store/live_memory.h"
#include "store/merged_tables.h"
#include "store/mpi_calls.h"
#include "store/sqlite.h"
#include "store/statistics.h"
#include "store/time_bins.h"
#include "store/value_block.h"

namespace pyrometer {

class PyroWriter {
 public:
  // `tables` must outlive the writer.
  static Result<PyroWriter> create(const Path& output, const MergedTables& tables);

  // Blocks come in the order of their places; those without values can be left out.
  Result<void> write_block(const EncodedBlock& block);

  struct NamedRegion {
    ThreadId thread;
    std::string_view name;
    std::int64_t start;
    std::int64_t duration;
    std::uint32_t depth;
    std::int64_t value;
  };
  Result<void> write_region(const NamedRegion& region);
  using Point = std::pair<std::int64_t, std::int64_t>;  // time in ns, value
  Result<void> write_counter(ProcessId process, std::string_view name, Unit unit,
                             std::span<const Point> points);
  Result<void> write_message(ProcessId process, std::int64_t time, MessageLevel level,
                             std::string_view text);

  // Of one thread class each: calls by place, bins in their order, live memory by node.
  Result<void> write_mpi_calls(ThreadId thread, std::span<const MpiCalls> calls);
  Result<void> write_time_bins(ThreadId thread, const TimeBins& bins);
  Result<void> write_live(ThreadId thread, std::span<const LiveTrack> tracks);
  // What an analysis of all processes found, in its own words; each key once.
  Result<void> write_analysis(std::string_view key, std::string_view data);

  // Writes what is known only now and moves the file into place.
  Result<void> finish();

 private:
  struct RemoveFile {
    void operator()(const Path* path) const;
  };
  struct Inserts {
    Statement tile, region, counter, message, mpi_calls, time_bin, live, analysis;
  };

  PyroWriter(Path output, std::unique_ptr<Path, RemoveFile> temporary, Database database,
             const MergedTables& tables);
  Result<void> write_statistics(Subject subject);
  Result<void> write_process_totals();
  Result<void> write_mpi_sites();

  Path output_;
  std::unique_ptr<Path, RemoveFile> temporary_;
  Database database_;
  std::optional<Inserts> inserts_;
  const MergedTables& tables_;
  StatisticsTable statistics_;
  MpiCallTotals mpi_sites_;
  std::vector<std::int64_t> process_totals_;  // by process, then by metric
  std::optional<BlockPlace> last_place_;
};

}  // namespace pyrometer
