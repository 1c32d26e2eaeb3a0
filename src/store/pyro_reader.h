// Reads a merged file (.pyro) that may be cut, damaged or hostile: nothing in it is executed,
// every number is checked before it is used, memory and time are bounded by the file's size
// and stated limits, and content ids are computed anew.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "profile/detail.h"
#include "profile/profile.h"
#include "store/merged_tables.h"
#include "store/sqlite.h"
#include "store/time_bins.h"
#include "store/value_block.h"

namespace pyrometer {

// Whether a file that begins like this is a merged file; 72 bytes are enough.
bool looks_like_pyro(std::string_view prefix);
bool is_pyro_file(const Path& path);

// With kSummary, totals come from the file's own tables: thread_cells stay empty, line values
// and MPI calls are totals over all processes that name the first thread, regions, counters and
// live memory are left out; kCurves has them. From kSamples on, bins of time come as samples. Only
// a file with call edges is always read with its values, because views take them from the tree
// thread by thread.
Result<Profile> read_pyro(const Path& path, Detail detail);

struct TilePlace {
  BlockPlace block;
  std::uint32_t metric = 0;
  ThreadClass thread_class = ThreadClass::kMain;
  friend auto operator<=>(const TilePlace&, const TilePlace&) = default;
};

// The parts of a merged file for those who cannot hold it whole. Each is read at most once,
// the tables first.
class PyroReader {
 public:
  static Result<PyroReader> open(const Path& path);

  // With messages, which are few.
  Result<MergedTables> read_tables() const;

  // Tiles come in the order of their places; values by item, then by process.
  using VisitTile =
      std::function<Result<void>(const TilePlace& place, std::span<const std::int64_t> values)>;
  Result<void> read_tiles(const MergedTables& tables, const VisitTile& visit) const;

  // Fills node_totals, process_totals and the totals of lines and MPI calls.
  Result<void> read_totals(MergedTables& tables) const;

  // Adds regions and counters.
  Result<void> read_events(Profile& profile) const;

  // Adds the MPI calls of each thread class.
  Result<void> read_mpi_calls(Profile& profile) const;

  // Adds what was live when, in the order of the threads.
  Result<void> read_live(Profile& profile) const;

  // What each thread class did over time, in the order of the threads.
  using VisitBins = std::function<Result<void>(ThreadId thread, TimeBins bins)>;
  Result<void> read_time_bins(const Profile& profile, const VisitBins& visit) const;

  // What an analysis of all processes left in the file under this key; nothing where none did.
  Result<std::optional<std::string>> read_analysis(std::string_view key) const;

  // "'job.pyro' is damaged: ...", for what only the caller can see.
  tl::unexpected<Error> damaged(std::string_view what) const;

 private:
  PyroReader(Path path, Database database, std::int64_t version)
      : path_(std::move(path)), database_(std::move(database)), version_(version) {}
  Result<void> check_schema() const;
  Result<void> read_mpi_sites(Profile& profile) const;

  // Calls visit(row) for every row that `sql` gives, until it returns false: the row is bad.
  template <class Visit>
  Result<void> for_each_row(const char* table, const char* sql, Visit visit) const {
    PYROMETER_TRY(Statement row, database_.prepare(sql));
    for (std::uint64_t number = 0;; ++number) {
      PYROMETER_TRY(const bool is_row, row.next());
      if (!is_row) return {};
      if (!visit(row) || !row.row_ok()) {
        return damaged(fmt::format("row {} of table {} makes no sense", number, table));
      }
    }
  }

  class TableReader;

  Path path_;
  Database database_;
  std::int64_t version_;  // of the file's format
};

}  // namespace pyrometer
