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
#include "store/merged_tables.h"
#include "store/sqlite.h"
#include "store/statistics.h"
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

  // Writes what is known only now and moves the file into place.
  Result<void> finish();

 private:
  struct RemoveFile {
    void operator()(const Path* path) const;
  };
  struct Inserts {
    Statement tile, region, counter, message;
  };

  PyroWriter(Path output, std::unique_ptr<Path, RemoveFile> temporary, Database database,
             const MergedTables& tables);
  Result<void> write_statistics(Subject subject);
  Result<void> write_process_totals();

  Path output_;
  std::unique_ptr<Path, RemoveFile> temporary_;
  Database database_;
  std::optional<Inserts> inserts_;
  const MergedTables& tables_;
  StatisticsTable statistics_;
  std::vector<std::int64_t> process_totals_;  // by process, then by metric
  std::optional<BlockPlace> last_place_;
};

}  // namespace pyrometer
